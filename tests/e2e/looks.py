"""What is looked for on whatever the page shows: axe-core's rules, and whether anything leaves the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from playwright.sync_api import TimeoutError as NeverCame
from playwright.sync_api import ViewportSize

from tests.e2e.person import PATIENCE_MS, Person

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async (passed) => {
  const rules = Object.fromEntries(passed.map((rule) => [rule, { enabled: false }]));
  const found = await axe.run(document, { resultTypes: ['violations'], rules });
  const shown = (nodes) => nodes.slice(0, 4).map(({ html }) => html.slice(0, 160)).join(' | ');
  return found.violations.map(({ id, nodes }) => `${id}: ${shown(nodes)}`);
}"""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
"""What the system asks for, which the page follows unless somebody has chosen."""
BEHIND_A_MENU = ["landmark-one-main", "page-has-heading-one"]
"""An open menu takes the page behind it out of reach, as a dialog does; for dialogs axe-core knows that."""

DOUBLE = "document.documentElement.style.fontSize = '200%'"
USUAL = "document.documentElement.style.fontSize = ''"
LEAVING = """() => {
  const wrong = [];
  const wide = document.scrollingElement.scrollWidth;
  if (wide > innerWidth + 1) wrong.push(`the page is ${wide} wide`);
  const overs = 'dialog[open], [popover]:popover-open, .notice, .note, .pace, .welcome';
  for (const over of document.querySelectorAll(overs)) {
    const { top, bottom } = over.getBoundingClientRect();
    if (top < -1 || bottom > innerHeight + 1) wrong.push(`${over.className || over.tagName} from ${top} to ${bottom}`);
    if (over.scrollWidth > over.clientWidth + 1) wrong.push(`${over.className || over.tagName} scrolls sideways`);
    for (const each of [over, ...over.querySelectorAll('button, a, input, select, h2, h3, p')]) {
      const { left, right, width } = each.getBoundingClientRect();
      if (width > 1 && (left < -1 || right > innerWidth + 1))
        wrong.push(`${each.outerHTML.slice(0, 90)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  return wrong;
}"""


def size(width: int, height: int) -> ViewportSize:
    return {"width": width, "height": height}


def violations(person: Person, passed: list[str] | None = None) -> list[str]:
    """What axe-core says about the page as it is, light and dark, rules that do not apply left out."""
    assert AXE.exists(), "axe-core is not here: run `make page`, or npm install in web/"
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE.read_text())
    found = []
    for theme in THEMES:
        person.page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {each}" for each in person.page.evaluate(RUN, passed or [])]
    return found


def leaving(person: Person, patience: int = PATIENCE_MS) -> list[str]:
    """What leaves the screen when text is twice as large."""
    person.page.evaluate(DOUBLE)
    found = [f"double size: {each}" for each in settled(person, LEAVING, None, patience)]
    person.page.evaluate(USUAL)
    return found


def settled(person: Person, look: str, how: object, patience: int = PATIENCE_MS) -> list[str]:
    """What a look at the page still finds after so many milliseconds: it is laid out anew a moment after a change."""
    try:
        person.page.wait_for_function(f"how => ({look})(how).length === 0", arg=how, timeout=patience)
        return []
    except NeverCame:
        return [str(each) for each in person.page.evaluate(look, how)]
