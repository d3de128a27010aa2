"""A player of one's own at a table in the browser: from the form to the result, on both walls."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.command import AZULEJOS
from tests.e2e.conftest import Coming
from tests.patience import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = {"std": ("python:bot:MyPlayer", "My player 1"), "gray": ("process:python3 bot_engine.py", "My engine 1")}


@pytest.mark.parametrize("wall", BOTS)
def test_the_link_of_a_friend_is_all_that_a_bot_needs(wall: str, coming: Coming) -> None:
    spec, name = BOTS[wall]
    ana = coming().open("/new")
    page = ana.page
    page.get_by_label("Friend by link").nth(1).check()
    page.get_by_label("Name").first.fill("Ana")
    if wall == "gray":
        page.get_by_label("Gray wall").check()
    page.locator("button[type=submit]").click()
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_role("textbox").first.input_value()
    command = [str(AZULEJOS), "bot", link, "--player", spec]
    with subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, text=True) as bot:
        try:
            expect(dialog.get_by_role("heading", name=f"Seat of {name}")).to_be_visible()  # the host sees who came
            page.keyboard.press("Escape")
            ana.play()
            result = ana.welcome()["table"]["result"]
            said, _ = bot.communicate(timeout=PATIENCE)
        finally:
            bot.kill()
    scores = "-".join(map(str, result["scores"]))
    verdict = "lost" if 1 not in result["winners"] else "won" if result["winners"] == [1] else "shared the victory"
    assert said == f"{ana.url}/t/{ana.table}: seat 2 {verdict}, {scores} ({result['reason']})\n"
    assert bot.returncode == 0
