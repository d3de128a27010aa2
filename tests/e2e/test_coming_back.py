"""A seat survives a reload, another device, a killed server and a lost network."""

from __future__ import annotations

import signal
from pathlib import Path

from playwright.sync_api import expect

from azulejos import read_record
from azulejos.game.replay import replay
from tests.e2e.conftest import ANY_NUMBER, Coming, new_table
from tests.e2e.person import ASK, Person
from tests.e2e.wire import play_until, resign
from tests.server.live import Live, free_port, live_server, wait_for_computers

LINES = """
const Plain = WebSocket;
window.lines = [];
window.WebSocket = class extends Plain { constructor(...all) { super(...all); window.lines.push(this); } };
"""
"""Keeps the sockets of a page, so that they can be closed as a network does it."""

OUTLINED = """() => [...document.querySelectorAll('.last')].map(
  (each) => each.ariaLabel ?? each.closest('.board').ariaLabel + each.innerText)"""


def test_reload_in_the_middle(coming: Coming) -> None:
    person = coming().open("/")
    person.play(most=5)
    person.wait()
    table, log = person.table, person.log()
    person.take(person.best())
    person.page.reload()
    person.wait()
    assert (person.table, person.log()) == (table, log)
    person.click(person.best())
    person.wait()
    assert len(person.log()) > len(log)
    # The first page goes on with the same game, and so does the Back button.
    person.open("/settings")
    person.page.go_back()
    person.wait()
    assert person.table == table


def test_a_seat_link_in_a_second_browser(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1)
    first = coming().open(f"/t/{table}#{secrets[0]}")
    first.play(most=3)
    first.wait()
    first.page.get_by_role("button", name="Invite and share").click()
    link = first.page.get_by_label("My own seat").get_by_role("textbox").input_value()
    assert link.startswith(f"{server.url}/t/{first.table}#")
    second = coming().open(link.removeprefix(server.url))
    second.wait()
    assert "#" not in second.page.url, "the secret stays in the address bar"
    assert second.table == first.table
    before = len(second.log())
    second.click(second.best())
    second.wait()
    # Both browsers play the same seat, and see the same.
    first.page.keyboard.press("Escape")
    first.agrees()
    first.wait()
    first.click(first.best())
    first.wait()
    second.wait()
    assert len(second.log()) >= before + 3
    lines = "JSON.stringify([...document.querySelectorAll('.own .line')].map((line) => line.ariaLabel))"
    second.page.wait_for_function(f"wanted => {lines} === wanted", arg=first.page.evaluate(lines))


def test_a_watch_link_shows_and_gives_nothing(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    watcher = coming().open(f"/t/{table}")
    watcher.page.wait_for_selector(".plate")
    player = coming().open(f"/t/{table}#{secrets[0]}")
    player.wait()
    player.click(player.best())
    expect(watcher.page.locator(".log li[data-move]")).to_have_count(1)
    assert watcher.page.locator('[data-group][aria-disabled="false"]').count() == 0


def test_a_wrong_link_is_explained(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", 1)
    person = coming().open(f"/t/{table}#{'x' * 32}")
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.page.get_by_role("button", name="Watch").click()
    person.page.wait_for_selector(".plate")
    # A mangled link takes no seat away from whoever has one, nor does watching.
    person.open(f"/t/{table}#{secrets[0]}")
    assert person.wait() == "move"
    person.open("/new").open(f"/t/{table}#{str(secrets[0])[:-3]}xyz")
    expect(person.page.locator(".notice")).to_contain_text("does not open a seat")
    assert person.wait() == "move"
    person.open("/new").open(f"/t/{table}#short")
    expect(person.page.locator(".notice")).to_contain_text("does not open a seat")
    assert person.wait() == "move"
    # The list says how it stands, and asks before it throws the key away.
    person.open("/games")
    game = person.page.get_by_role("listitem").filter(has_text="Round 1")
    game.get_by_role("button", name="Remove from the list").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Remove from the list").click()
    expect(game).to_have_count(0)
    person.page.get_by_role("button", name="Put it back").click()
    game.get_by_role("link", name="Go on").click()
    assert person.wait() == "move"
    person.open("/t/nosuchtable1")
    expect(person.page.get_by_role("alert")).to_be_visible()


def test_the_server_is_killed_and_started_again(coming: Coming, tmp_path: Path) -> None:
    port = free_port()
    with live_server(tmp_path, "--workers", "1", port=port, **ANY_NUMBER) as live:
        wait_for_computers(live)
        table, secrets = new_table(live, "here", 2)
        person = coming(url=live.url).open(f"/t/{table}#{secrets[0]}")
        person.play(most=6)
        person.wait()
        log = person.log()
        assert live.stop(signal.SIGKILL) == -signal.SIGKILL
    # A move made while the server is away is kept, and sent when it is back.
    page = person.page
    expect(page.locator(".notice")).to_be_visible()
    group = page.locator("[data-group]").first
    group.click()
    page.locator(".line.lit, .floor.lit").first.click()
    with live_server(tmp_path, "--workers", "1", port=port, **ANY_NUMBER) as live:
        wait_for_computers(live)
        expect(page.locator(".notice")).to_have_count(0)
        person.wait()
        assert person.table == table
        assert person.log()[: len(log)] == log
        assert len(person.log()) > len(log), "the move made meanwhile is lost"
        person.play()
        record = read_record(ASK.get(f"{live.url}/api/tables/{table}/record.azul").text)
        assert list(replay(record).scores) == person.welcome()["table"]["result"]["scores"]


def cut(person: Person) -> None:
    """Take the network away, and wait until the page has noticed: a socket may take its time to close."""
    person.context.set_offline(True)
    person.page.evaluate("window.lines.forEach(line => line.close())")
    expect(person.page.locator(".notice")).to_be_visible()


def test_the_network_is_cut_and_comes_back(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend")
    ana, rui = coming(), coming()
    ana.page.add_init_script(LINES)
    ana.open(f"/t/{table}#{secrets[0]}")
    rui.open(f"/t/{table}#{secrets[1]}")
    ana.wait()
    cut(ana)
    ana.click(ana.best())  # kept until the line is back
    assert ana.log() == []
    ana.context.set_offline(False)
    expect(ana.page.locator(".notice")).to_have_count(0)
    rui.wait()
    assert len(ana.log()) == 1
    # And what others did meanwhile is there too.
    cut(ana)
    rui.click(rui.best())
    expect(rui.page.locator(".log li[data-move]")).to_have_count(2)
    ana.context.set_offline(False)
    ana.wait()
    assert len(ana.log()) == 2
    expect(ana.page.locator(".log li[data-move]")).to_have_count(2)


def test_what_is_outlined_and_counted_survives(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "here")
    play_until(server, table, secrets, lambda said: said["position"]["round"] > 2)
    person = coming().open(f"/t/{table}#{secrets[0]},{secrets[1]}")
    page, dialog = person.page, person.page.get_by_role("dialog")
    person.wait()
    before = page.evaluate(OUTLINED)
    assert before == []  # a round has just begun
    person.click(person.best())
    page.wait_for_function(f"before => JSON.stringify(({OUTLINED})()) !== JSON.stringify(before)", arg=before)
    after = page.evaluate(OUTLINED)
    assert len(after) == 2
    page.reload()
    person.wait()
    assert page.evaluate(OUTLINED) == after
    page.keyboard.press("u")
    page.wait_for_function(f"before => JSON.stringify(({OUTLINED})()) === JSON.stringify(before)", arg=before)
    page.get_by_role("button", name="Moves and scores").click()
    expect(dialog.get_by_role("table")).to_have_count(2)
    page.keyboard.press("Escape")
    resign(server, table, secrets[0])
    for way in ("first", "again", "reloaded"):
        if way == "again":
            page.get_by_role("button", name="Result").click()
        elif way == "reloaded":
            page.reload()
        expect(dialog.locator(".result")).to_be_visible()
        for name in ("Rematch", "Same tiles again", "Share"):
            expect(dialog.get_by_role("button", name=name)).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
