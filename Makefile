# Azulejos. `make play` and `make test` set up everything they need; a second run reuses what is there.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup play test lint bench clean

setup: .venv/ready

# The stamp depends on what is installed from, so a changed pin installs again and nothing else does.
.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Azulejos needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

play: setup
	@$(BIN)/azulejos play

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest

bench: setup
	$(BIN)/azulejos bench
	@if command -v g++ >/dev/null; then \
	  g++ -O3 -march=native -o .venv/baseline benchmarks/baseline.cpp && .venv/baseline 200000; \
	else echo "(no g++ here: the comparison with plain C++ is left out)"; fi

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
