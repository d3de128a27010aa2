"""Settings from flags and the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from azulejos.server.settings import Settings, from_environment


def test_a_flag_wins_over_the_environment_and_the_environment_over_the_default() -> None:
    environment = {"AZULEJOS_PORT": "9000", "AZULEJOS_HOST": "0.0.0.0", "AZULEJOS_LOG_JSON": "yes"}
    settings = from_environment(environment, port=9001, host=None)
    assert (settings.port, settings.host, settings.log_json, settings.pace_ms) == (9001, "0.0.0.0", True, None)


def test_lists_and_empty_variables() -> None:
    environment = {"AZULEJOS_TRUSTED_PROXIES": "127.0.0.1, ::1", "AZULEJOS_PORT": "", "AZULEJOS_PACE_MS": "5"}
    settings = from_environment(environment)
    assert settings.trusted_proxies == ("127.0.0.1", "::1")
    assert (settings.port, settings.pace_ms) == (8421, 5)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"AZULEJOS_PORT": "many"}, "AZULEJOS_PORT='many': expected a whole number"),
        ({"AZULEJOS_PORT": "70000"}, "port must be a whole number from 0 to 65535, not 70000"),
        ({"AZULEJOS_THINKING_MS": "0"}, "thinking_ms must be a whole number from 1 to 60000, not 0"),
        ({"AZULEJOS_THINKING_MS": "long"}, "AZULEJOS_THINKING_MS='long': expected a whole number"),
        ({"AZULEJOS_WORKERS": "0"}, "workers"),
        ({"AZULEJOS_LOG_JSON": "perhaps"}, "AZULEJOS_LOG_JSON='perhaps': expected yes or no"),
        ({"AZULEJOS_PUBLIC_URL": "tiles.example"}, "'tiles.example'"),
        ({"AZULEJOS_PUBLIC_URL": "https://tiles.example/azul"}, "azul'"),
        ({"AZULEJOS_DATABASE": "mysql://somewhere/x"}, "'mysql'"),
        ({"AZULEJOS_TABLES_PER_MINUTE": "-1"}, "tables_per_minute"),
        ({"AZULEJOS_PLAYERS": "greedy, nobody"}, "cannot seat 'nobody'"),
        ({"AZULEJOS_PLAYERS": "=greedy"}, "cannot seat '=greedy'"),
        ({"AZULEJOS_PLAYERS": "search:exploration=1.23456"}, "a name of at most 24 characters"),
    ],
)
def test_what_cannot_be_is_refused_by_name(environment: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        from_environment(environment)


def test_players_have_names(tmp_path: Path) -> None:
    given = {"AZULEJOS_PLAYERS": f"greedy, search:nodes=20, My bot=process:{tmp_path} a=b"}
    assert from_environment(given).player_specs == {
        "greedy": "greedy",
        "search:nodes=20": "search:nodes=20",
        "My bot": f"process:{tmp_path} a=b",
    }


def test_a_database_is_a_file_or_an_address(tmp_path: Path) -> None:
    assert Settings(database=str(tmp_path / "x.db")).database_url == f"sqlite:///{tmp_path}/x.db"
    for text in ("rel.db", "sqlite:///rel.db", "sqlite://rel.db"):
        assert Settings(database=text).database_url == f"sqlite:///{Path.cwd()}/rel.db"
    assert Settings(database=f"sqlite:///{tmp_path}/x.db").database_url == f"sqlite:///{tmp_path}/x.db"
    assert Settings(data=str(tmp_path)).database_url == f"sqlite:///{tmp_path}/tables.db"


def test_the_server_is_for_this_machine_unless_asked() -> None:
    assert Settings().is_local
    assert not Settings(host="0.0.0.0").is_local
    assert Settings(host="::1").local_url == "http://[::1]:8421"


@pytest.mark.parametrize("name", ["database", "data", "static"])
def test_a_home_that_nobody_has_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="'~nobody-here/x'"):
        Settings(**{name: "~nobody-here/x"})  # type: ignore[arg-type]
