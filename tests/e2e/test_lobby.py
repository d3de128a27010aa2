"""The lobby: strangers meet without a link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.server.live import Live

PHONE = {"width": 390, "height": 780}


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE], ids=["desk", "phone"])
def test_two_people_meet_in_the_lobby(coming: Coming, viewport: dict[str, int]) -> None:
    host, guest = coming({"name": "Ana"}, viewport=viewport), coming({"name": "Eva"}, viewport=viewport)
    looker = coming({}, viewport=viewport).open("/lobby").page
    guest.open("/lobby")
    host.open("/lobby")
    host.page.get_by_role("link", name="Open a table").click()
    expect(host.page.get_by_role("checkbox", name="Open to everybody in the lobby")).to_be_checked()
    host.page.get_by_role("button", name="Open the table").click()
    listed = host.page.locator(".notice", has_text="This table is in the lobby")
    expect(listed).to_be_visible()

    expect(looker.get_by_role("status").filter(has_text="New in the lobby: Ana")).to_have_count(1)
    guest.page.get_by_role("button", name="Sit down with Ana").press("Enter")
    expect(listed).to_be_hidden()
    table = host.page.url.rpartition("/")[2]
    expect(guest.page).to_have_url(re.compile(f"/t/{table}$"))
    for person in (host, guest):  # both are at the same table, each on a seat
        expect(person.page.locator(".table")).to_contain_text("Ana")
        expect(person.page.locator(".table")).to_contain_text("Eva")

    watch = looker.get_by_role("link", name="Watch Ana and Eva")  # the list goes on by itself
    expect(watch).to_be_visible()
    expect(looker.get_by_role("button", name="Sit down with Ana")).to_have_count(0)
    guest.open("/lobby")  # whoever has a seat there goes on
    expect(guest.page.get_by_role("link", name="Go on")).to_have_attribute("href", f"/t/{table}")
    host.page.get_by_role("button", name="More about this table").click()
    host.page.get_by_role("button", name="Take out of the lobby").click()
    expect(watch).to_have_count(0)


def test_a_seat_that_somebody_else_was_quicker_to_take(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "friend", open=True)
    host = coming().open(f"/t/{table}#{secrets[0]}")
    expect(host.page.locator(".notice", has_text="This table is in the lobby")).to_be_visible()
    late = coming({"name": "Max"}).open("/lobby").page
    sit = late.get_by_role("button", name="Sit down with Ana").first
    expect(sit).to_be_visible()
    late.route("**/api/lobby", lambda route: route.abort())  # what is shown is as it was
    quick = coming({"name": "Eva"}).open("/lobby").page
    quick.get_by_role("button", name="Sit down with Ana").first.click()
    expect(quick).to_have_url(f"{server.url}/t/{table}")
    late.unroute("**/api/lobby")
    sit.click()
    expect(late.get_by_role("alert")).to_contain_text("This seat is no longer free.")
    expect(late.get_by_role("link", name="Watch Ana and Eva")).to_be_visible()
