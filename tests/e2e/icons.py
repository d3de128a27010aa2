"""The icons of the installed page, drawn from its one icon: `python -m tests.e2e.icons`."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import chromium

WEB = Path(__file__).parents[2] / "web"
ICON = WEB / "src" / "shell" / "icon.svg"
FOLDER = WEB / "public" / "icons"
COBALT = "#1f4e9c"
"""The ground of the icon."""
SAFE = 0.8
"""The part of a maskable icon that every system shows, whatever shape it cuts."""


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    draw("192", 192)
    draw("512", 512)
    draw("apple-180", 180, ground=COBALT)  # the system rounds the corners itself
    draw("maskable-512", 512, ground=COBALT, part=SAFE)


def draw(name: str, size: int, *, ground: str = "transparent", part: float = 1.0) -> None:
    """One icon: the drawing over so much of its ground."""
    drawn = ICON.read_text().replace("<svg ", f'<svg width="{size * part}" style="display:block" ')
    style = f"margin:0;width:{size}px;height:{size}px;display:grid;place-items:center;background:{ground}"
    with chromium() as browser:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f'<body style="{style}">{drawn}</body>')
        page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)


if __name__ == "__main__":
    main()
