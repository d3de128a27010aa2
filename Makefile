# Azulejos. `make play` and `make test` set up everything they need; a second run reuses what is there.
PYTHON ?= python3
BIN := .venv/bin
# Byte code is made of what is imported, when it is: most of what comes along never is.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
# It is kept then, or every process would make it again; empty, this variable counts as not set.
export PYTHONDONTWRITEBYTECODE :=
STATIC := src/azulejos/server/static
GENERATED := web/src/engine/generated
WASM_SOURCES := $(wildcard $(patsubst %,src/azulejos/%/*,rules game net net/weights search players analysis wasm))
PAGE_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/paraglide/*' -not -path '*/.pseudo/*' -not -path '*/generated/*' -not -name '*.test.ts')

.PHONY: setup wasm page site npm play test test-page compiled lint lint-python lint-page chromium browsers postgresql redis nightly docs package bench clean

setup: .venv/dev

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Azulejos needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

# What playing takes. The stamps depend on what is installed from, so a changed pin installs again and nothing else does.
.venv/ready: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) --editable '.[tui]'
	@touch $@

# What working on it takes besides: tests, checks, documentation. The package itself is left as it is, so that it can be used meanwhile.
.venv/dev: .venv/ready
	$(INSTALL) 'azulejos[dev]'
	@touch $@

# What the page is built with, in the locked versions. (`npm ci` would insist that the lock has the optional parts for all
# other systems too, and not every registry has all of those.)
web/node_modules/.ready: web/package.json web/package-lock.json
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null && command -v npm >/dev/null || \
	  { echo "The page is built with Node 20 or newer, and npm: install them (on Debian: apt install nodejs npm), then try again." >&2; exit 1; }
	cd web && npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

# The rules, the search and the networks for the page: compiled by Python, linked by Node.
wasm: $(GENERATED)/azulejos.wasm

$(GENERATED)/azulejos.o: $(WASM_SOURCES) | .venv/ready
	$(BIN)/python -m azulejos.wasm $(GENERATED)

$(GENERATED)/azulejos.wasm: $(GENERATED)/azulejos.o web/node_modules/.ready web/scripts/link-wasm.mjs
	cd web && node scripts/link-wasm.mjs

# The built page; built again only when something of it has changed.
page: $(STATIC)/.built

$(STATIC)/.built: web/node_modules/.ready $(GENERATED)/azulejos.wasm $(PAGE_SOURCES)
	cd web && npm run --silent build
	@touch $@

# The page as files for any host, without a server, in dist/site.
site: .venv/ready page
	@$(BIN)/azulejos site dist/site

# The package for other pages and programs, in dist/npm.
npm: wasm
	cd web && node scripts/build-npm.mjs ../dist/npm
	@echo "The package is in dist/npm"

play:
	@$(MAKE) --no-print-directory --jobs 2 .venv/ready web/node_modules/.ready
	@$(MAKE) --no-print-directory page
	@$(BIN)/azulejos

lint: lint-python lint-page

lint-python: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-page: wasm
	cd web && npm run --silent check && npm run --silent lint

# The browser in which the tests play.
chromium:
	@command -v chromium >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	  { echo "The tests play in Chromium, which is not here: install it (on Debian: apt install chromium), then try again." >&2; exit 1; }
	@command -v chromium-headless-shell >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null; } || \
	  echo "Chromium without windows is not here, so that the tests take longer (on Debian: apt install chromium-headless-shell)." >&2

# Two more in which the page has to work; where they cannot be installed their tests say so and are left out.
browsers:
	@{ command -v firefox-esr && command -v WebKitWebDriver && command -v Xvfb; } >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends firefox-esr webkit2gtk-driver xvfb >/dev/null; } || \
	  echo "Firefox or WebKit is not here, so that the page is not tried in them (on Debian: apt install firefox-esr webkit2gtk-driver xvfb)." >&2

# The other database of the tests; they start a server of their own.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null; } || \
	  { echo "The tests need PostgreSQL, which is not here: install it (on Debian: apt install postgresql), then try again." >&2; exit 1; }

# By which the servers of the tests tell each other; they start one of their own.
redis:
	@command -v redis-server >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server >/dev/null; } || \
	  { echo "The tests need Redis, which is not here: install it (on Debian: apt install redis-server), then try again." >&2; exit 1; }

# What does not wait for something else is done side by side: what is downloaded waits more than it works.
test: chromium browsers postgresql redis
	@$(MAKE) --no-print-directory --jobs 3 setup test-page compiled lint-python
	$(BIN)/pytest --numprocesses 3

# What takes too long for every day: many more servers killed in the middle of games, many more tables at two processes of
# which one is killed now and then, a million messages that nobody should send, and what strangers can do to others,
# and other Pythons that are here.
nightly: setup compiled postgresql redis
	AZULEJOS_KILLS=40 AZULEJOS_EXAMPLES=300 $(BIN)/pytest -s tests/server/test_processes.py tests/server/test_process_machine.py
	$(BIN)/python -m tests.load.fuzz --messages 1000000 --seconds 3600
	$(BIN)/python benchmarks/hostile_records.py
	$(BIN)/python -m tests.load.strangers --seconds 60 --limits
	$(BIN)/python -m tests.load.strangers --seconds 20 --at-once 300 --only records "tables that move here"
	AZULEJOS_PYTHONS=1 $(BIN)/pytest -rs tests/package/test_pythons.py

test-page: page
	@$(MAKE) --no-print-directory lint-page
	cd web && npm run --silent test

# Most of the rules, once for all processes of the tests.
compiled: .venv/ready
	@AZULEJOS_QUIET=1 $(BIN)/python -m tests.compiling

# The documentation as a site, in dist/docs. (The variable silences the theme's word on other programs.)
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The documentation is in dist/docs: open dist/docs/index.html"

# Wheel and sdist, in dist; both carry the built page.
package: setup page
	AZULEJOS_REQUIRE_PAGE=1 $(BIN)/hatchling build

bench: setup
	$(BIN)/azulejos bench
	@if command -v g++ >/dev/null; then \
	  g++ -O3 -march=native -o .venv/baseline benchmarks/baseline.cpp && .venv/baseline 200000; \
	else echo "(no g++ here: the comparison with plain C++ is left out)"; fi

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist web/node_modules $(GENERATED) $(STATIC)
