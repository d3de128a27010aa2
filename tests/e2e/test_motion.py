"""What moves and for how long: the count at the end of a round, and nothing for those who want stillness."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import PATIENCE_MS, Person
from tests.e2e.wire import one_move_left, play_until
from tests.server.live import Live

WATCH = """() => {
  window.seen = { scoring: 0, start: 0, end: 0, flights: 0, animations: 0 };
  new MutationObserver(() => {
    const scoring = !!document.querySelector('.status .skip');
    if (scoring && !window.seen.start) window.seen.start = performance.now();
    if (!scoring && window.seen.start && !window.seen.end) window.seen.end = performance.now();
    window.seen.flights += document.querySelectorAll('.az-flights > *').length;
    window.seen.animations += document.getAnimations().filter((one) => one.playState === 'running').length;
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
NEXT_ROUND = "() => document.querySelectorAll('[data-group]').length > 5 && !document.querySelector('.status .skip')"
SCORED = "() => window.seen.end > 0"
STEP_MS = 50
LEAP_SECONDS = 10
"""The page's clock is stopped so far ahead: it goes on while it is read and told."""


def at_the_end_of_a_round(coming: Coming, server: Live, **context: object) -> Person:
    """Somebody who plays four seats and has one move left."""
    table, secrets = new_table(server, "here", "here", "here", "here")
    play_until(server, table, secrets, one_move_left)
    settings = {"speed": context.pop("speed", "normal")}
    person = coming(settings, **context)
    person.page.clock.install()
    person.open(f"/t/{table}#{','.join(secret or '' for secret in secrets)}")
    person.wait()
    person.page.evaluate(WATCH)
    return person


def play_until_counting(person: Person) -> None:
    """Make the last move; from then on the page's clock goes on only when told to, however slow the machine is."""
    move, clock = person.best(), person.page.clock
    clock.pause_at(person.page.evaluate("Date.now() / 1000") + LEAP_SECONDS)
    person.click(move)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not person.page.locator(".status .skip").count():
        assert time.monotonic() < deadline, "nothing is counted"
        clock.run_for(STEP_MS)
        person.page.wait_for_timeout(STEP_MS)  # the server may be slow, and the page has only so much patience


@pytest.mark.parametrize(("speed", "most"), [("normal", 6.0), ("fast", 2.0)])
def test_how_long_a_round_is_counted(coming: Coming, server: Live, speed: str, most: float) -> None:
    person = at_the_end_of_a_round(coming, server, speed=speed)
    play_until_counting(person)
    for _ in range(int(most * 1000 / STEP_MS) + 1):
        person.page.clock.run_for(STEP_MS)
    seen = person.page.evaluate("window.seen")
    lasted = (seen["end"] - seen["start"]) / 1000
    print(f"four players, {speed}: counted in {lasted:.2f} s")
    assert seen["flights"] > 0
    assert 0.3 < lasted <= most
    person.page.clock.resume()
    person.wait()
    person.agrees()


@pytest.mark.parametrize("way", ["key", "click", "button"])
def test_counting_can_be_skipped(coming: Coming, server: Live, way: str) -> None:
    person = at_the_end_of_a_round(coming, server)
    play_until_counting(person)
    if way == "key":
        person.page.keyboard.press(" ")
    elif way == "click":
        person.page.mouse.click(5, 400)
    else:
        person.page.click(".status .skip")
    person.page.wait_for_function(SCORED, timeout=PATIENCE_MS)  # though the clock stands still
    person.page.clock.resume()
    person.wait()
    person.agrees()


@pytest.mark.parametrize("why", ["system", "setting"])
def test_nothing_moves_for_those_who_want_stillness(coming: Coming, server: Live, why: str) -> None:
    wish = {"reduced_motion": "reduce"} if why == "system" else {"speed": "instant"}
    person = at_the_end_of_a_round(coming, server, **wish)
    person.click(person.best())
    person.page.wait_for_function(NEXT_ROUND, timeout=PATIENCE_MS)
    person.wait()
    seen = person.page.evaluate("window.seen")
    assert (seen["start"], seen["flights"]) == (0, 0)
    if why == "system":
        assert seen["animations"] == 0
    # The numbers are there all the same.
    person.page.get_by_role("button", name="Moves and scores").click()
    expect(person.page.get_by_role("dialog").get_by_role("table")).to_have_count(1)


def test_from_a_click_to_what_is_seen(coming: Coming) -> None:
    person = coming({"speed": "normal"}).open("/")
    person.wait()
    times = []
    for _ in range(5):
        for group in range(2):
            person.page.evaluate(REACTION)
            person.page.locator("[data-group]").nth(group).click()
            times.append(person.page.wait_for_function("() => window.reaction", timeout=PATIENCE_MS).json_value())
    times.sort()
    print(f"click to the next picture: median {times[5]:.0f} ms, worst {times[-1]:.0f} ms")
    assert times[5] < 5000


REACTION = """() => {
  window.reaction = 0;
  addEventListener('click', (event) => {
    const start = event.timeStamp;
    new MutationObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.reaction = performance.now() - start)));
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-pressed'] });
  }, { capture: true, once: true });
}"""
