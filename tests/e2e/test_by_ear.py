"""A game by somebody who sees nothing, and the way of the focus for those who use keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.e2e.conftest import Coming, new_table
from tests.e2e.person import PATIENCE_MS
from tests.server.live import Live

PROMPT = re.compile(r"Your turn|Round \d+ begins, you start|Choose a place on the wall for line \d")
LINE = re.compile(r"(Line (?P<line>\d)|Floor)\b.*?(becomes|to the floor)")
MOST_TRIES = 3
"""Colors that are taken up before one is put down."""


class Ear:
    """Knows the browser's accessibility tree and nothing else: roles, names, the focus, live regions. Has keys."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._tree: CDPSession = page.context.new_cdp_session(page)
        self._tree.send("Accessibility.enable")
        self._known: set[Any] = set()
        self.heard: list[str] = []

    def nodes(self) -> list[dict[str, Any]]:
        """All that is there, and what live regions say."""
        nodes = self._tree.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        for node in nodes:
            if _role(node) == "StaticText" and _mark(node) not in self._known and _is_live(node, by_id):
                self._known.add(_mark(node))
                self.heard.append(_name(node))
        return [node for node in nodes if not node.get("ignored")]

    def named(self, role: str) -> list[str]:
        """The names of everything of a role."""
        return [_name(node) for node in self.nodes() if _role(node) == role]

    def focus(self) -> tuple[str, str]:
        """Role and name of what has the focus."""
        found = [node for node in self.nodes() if _property(node, "focused")]
        return (_role(found[-1]), _name(found[-1])) if found else ("", "")

    def press(self, key: str) -> None:
        self._page.keyboard.press(key)

    def tab_to(self, role: str, name: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(60):
            self.press("Tab")
            now = self.focus()
            if now[0] == role and name in now[1]:
                return
        raise AssertionError(f"the Tab key does not lead to {role} {name!r}")

    def wait(self, what: Callable[[], Any]) -> Any:
        """Listen until there is something."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while not (found := what()):
            assert time.monotonic() < deadline, f"nothing came after {self.heard[-8:]}; the focus is on {self.focus()}"
            self._page.wait_for_timeout(50)
        return found

    def told(self, pattern: re.Pattern[str] | str, since: int) -> str:
        """The last thing that was said of this kind since then, if any was."""
        self.nodes()
        return next((text for text in reversed(self.heard[since:]) if re.match(pattern, text)), "")

    # ---- the game ----
    def turn(self, since: int) -> str:
        """What is to be done: what was said last of it, or the name of the window that opened."""
        dialogs = self.named("dialog")
        return dialogs[0] if dialogs else self.told(PROMPT, since)

    def take(self, source: str, number: int) -> list[tuple[int, str, str]]:
        """Take a color of a source up; each line that takes it as its worth, its key and its name."""
        since = len(self.heard)
        self.press(source)
        said = self.wait(lambda: self.told(r".*(which color\?|in hand)", since))
        if "which color" in said:
            letters = re.findall(r"\b([BYRKW]) ", said)
            self.press(letters[number % len(letters)])
            self.wait(lambda: self.told(r".*in hand", since))
        self.wait(lambda: LINE.match(self.focus()[1]))
        found = [(LINE.match(name), name) for name in self.named("button")]
        return sorted((_worth(name), way["line"] or "f", name) for way, name in found if way)

    def move(self) -> None:
        """Take up one color after another until one does not hurt, and put it down."""
        offers = [name for name in self.named("group") if re.match(r"(Display \d|Center): .*\d", name)]
        sources = [found[1] if (found := re.match(r"Display (\d)", name)) else "0" for name in offers]
        for tries, source in enumerate(sources[:MOST_TRIES], 1):
            worth, line, _ = self.take(source, tries)[-1]
            if worth > 0 or tries == len(sources[:MOST_TRIES]):
                return self.press(line)
            self.press("Escape")
            self.wait(lambda: " from " in self.focus()[1])
        raise AssertionError(f"there is nothing to take: {offers}")


def _worth(name: str) -> int:
    """What a line is worth to somebody who reads its name."""
    cost = sum(int(number) for number in re.findall(r"costs (\d+) point", name))
    return 4 * ("completes" in name) + 2 * ("becomes" in name) - 2 * cost - ("no column" in name) * 9


def _role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


def _mark(node: dict[str, Any]) -> Any:
    return node.get("backendDOMNodeId", node["nodeId"])


def _property(node: dict[str, Any], name: str) -> Any:
    return next((each["value"].get("value") for each in node.get("properties", []) if each["name"] == name), None)


def _is_live(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> bool:
    while node:
        if _property(node, "live") in ("polite", "assertive"):
            return True
        node = by_id.get(node.get("parentId", ""), {})
    return False


def test_a_whole_game_on_the_gray_wall_by_ear(coming: Coming) -> None:
    ear = Ear(coming().open("/new").page)
    ear.wait(lambda: ear.named("radio"))
    ear.tab_to("combobox", "Level")
    ear.press("Home")
    ear.tab_to("radio", "Colored")
    ear.press("ArrowDown")
    assert "Gray" in ear.focus()[1]
    ear.tab_to("button", "Start")
    ear.press("Enter")
    since = places = 0
    while (turn := ear.wait(partial(ear.turn, since))) != "Result":
        since = len(ear.heard)
        if turn.startswith("Choose a place"):
            assert re.search(r"to row \d, column \d: \+\d", ear.wait(lambda: ear.focus()[1])), turn
            places += 1
            ear.press("Enter")
        else:
            ear.move()
            assert ear.focus()[0] != "RootWebArea", "the focus is lost"
    assert places > 5
    end = ear.wait(lambda: ear.told(r".* won\b|Shared victory", since))
    assert ear.heard.index(end) > max(at for at, text in enumerate(ear.heard) if text.startswith("End of round"))
    ear.press("Escape")
    ear.wait(lambda: not ear.named("dialog"))
    assert ear.focus()[0] not in ("", "RootWebArea")


SIZES = [(1280, 800), (390, 844), (844, 390), (820, 1180)]
"""A ring, tall, flat, and a tablet."""
WALK = """() => {
  const stops = [...document.querySelectorAll('[data-group], [data-line]')];
  const wrong = [], ways = new Map(stops.map((stop) => [stop, []]));
  const middle = (stop) => {
    const { x, y, width, height } = stop.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  document.activeElement.blur();
  const plain = new Set([...document.querySelectorAll('[data-group]:not(.held) .az-tile:not(.under)')]
    .map((tile) => getComputedStyle(tile).boxShadow));
  const name = (stop) => stop.dataset.group ?? `line ${stop.dataset.line}`;
  for (const from of stops) for (const [key, dx, dy] of
      [['ArrowUp', 0, -1], ['ArrowDown', 0, 1], ['ArrowLeft', -1, 0], ['ArrowRight', 1, 0]]) {
    from.focus();
    from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const to = document.activeElement, start = middle(from);
    const far = (stop) => (middle(stop).x - start.x) * dx + (middle(stop).y - start.y) * dy;
    const box = from.getBoundingClientRect();
    // What the middle of the one looks at straight ahead, nearest first.
    const ahead = stops.filter((stop) => {
      const { left, right, top, bottom } = stop.getBoundingClientRect(), at = middle(stop);
      const before = dx > 0 ? left >= box.right - 1 : dx < 0 ? right <= box.left + 1
        : dy > 0 ? top >= box.bottom - 1 : bottom <= box.top + 1;
      const straight = dx ? Math.abs(at.y - start.y) < box.height / 2 : Math.abs(at.x - start.x) < box.width / 2;
      return stop !== from && before && straight;
    }).sort((one, other) => far(one) - far(other));
    if (to !== from && far(to) <= 0) wrong.push(`${key} from ${name(from)} leads back to ${name(to)}`);
    if (ahead.length && (to === from || far(to) > far(ahead[0]) + 1))
      wrong.push(`${key} from ${name(from)} leads to ${name(to)} and not to ${name(ahead[0])}`);
    if (!stops.includes(to)) wrong.push(`${key} from ${name(from)} loses the focus`);
    ways.get(from).push(to);
    const tile = to.querySelector('.az-tile:not(.under)');
    const styles = [getComputedStyle(to), getComputedStyle(to, '::before'), ...(tile ? [getComputedStyle(tile)] : [])];
    const ringed = tile && to.dataset.group && !plain.has(getComputedStyle(tile).boxShadow);
    if (!ringed && !styles.some((one) => one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 1))
      wrong.push(`the focus on ${name(to)} is not seen`);
  }
  const reached = new Set([stops[0]]);
  for (const stop of reached) for (const next of ways.get(stop) ?? []) reached.add(next);
  if (stops.length < 20) wrong.push(`there are only ${stops.length}`);
  return [...wrong, ...stops.filter((stop) => !reached.has(stop)).map((stop) => `${name(stop)} is never reached`)];
}"""


def test_arrows_go_where_one_looks_and_the_focus_is_seen(coming: Coming, server: Live) -> None:
    table, secrets = new_table(server, "here", "here", "here", "here")
    person = coming().open(f"/t/{table}#{','.join(secret or '' for secret in secrets)}")
    person.wait()
    found: dict[str, list[str]] = {}
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.wait_for_timeout(100)
        person.page.keyboard.press("1")  # who types sees the focus
        found[f"{width}x{height}"] = person.page.evaluate(WALK)
        person.type(person.best()[:2])
        person.page.wait_for_selector(".held")
        found[f"{width}x{height}, with tiles in hand"] = person.page.evaluate(WALK)
        person.page.keyboard.press("Escape")
    assert {size: wrong for size, wrong in found.items() if wrong} == {}
