"""A review as one page without scripts, with graphs; everything on them is in its tables, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from azulejos.analysis.analyst import Value
from azulejos.analysis.review import DealReview, DecisionReview, Review
from azulejos.analysis.texts import Sheet, Texts

WIDTH, HEIGHT, LEFT, TOP = 960, 220, 48, 22
LUCK_HEIGHT: Final = 90
"""Height of the bars of luck, in the units of the picture."""
WORDY: Final = 24
"""Cells with more characters are sentences."""
DASHES: Final = ("", "7 4", "2 4", "10 3 2 3")
"""Lines of seats differ by more than their color."""
SHAPES: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""How marks are written on a graph."""
STYLE: Final = """
:root{color-scheme:light dark;--ground:#f4efe6;--text:#1d2433;--line:#cfc6b4;--band:#eae2d3;
--s0:#1f4e9c;--s1:#b0432c;--s2:#2c6e3f;--s3:#7a3f94}
@media(prefers-color-scheme:dark){:root{--ground:#10182b;--text:#eef0f5;--line:#3a4563;--band:#19233b;
--s0:#8ab4ff;--s1:#ff9d84;--s2:#8ed6a0;--s3:#dba6f2}}
body{background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif;margin:0 auto;
max-width:64rem;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
svg{display:block;width:100%;height:auto}svg text{fill:var(--text);font-size:12px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
tbody th{font-weight:400}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
.scroll svg{min-width:44rem}.words{min-width:9rem}.figure{text-align:right;white-space:nowrap}
.band{fill:var(--band)}.axis{stroke:var(--line)}.key span{display:inline-block;margin-right:1.2rem}
.s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}
.f0{fill:var(--s0)}.f1{fill:var(--s1)}.f2{fill:var(--s2)}.f3{fill:var(--s3)}
.curve{fill:none;stroke-width:2.5}.mark{font-weight:700}
""".strip()
"""How the page looks, by light and by night."""

Part = DealReview | DecisionReview
"""A step of the game."""


def page(found: Review, texts: Texts) -> str:
    """The whole page of a review."""
    parts: list[Part] = sorted([*found.deals, *found.decisions], key=_ply)
    body = [f"<h1>{escape(texts.title)}</h1>", *(f"<p>{escape(line)}</p>" for line in texts.summary)]
    if parts:
        body += [_key(texts.names), *_graphs(found, parts, texts)]
    for sheet in (texts.receipts, texts.chances, texts.marks, texts.decisions, texts.deals):
        body += [f"<h2>{escape(sheet.title)}</h2>", _table(sheet)]
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(texts.title)}</title>'
    )
    return (
        f'<!doctype html>\n<html lang="{texts.language}"><head>{head}<style>{STYLE}</style></head>\n'
        f"<body><main>\n{chr(10).join(body)}\n</main></body></html>\n"
    )


def _ply(part: Part) -> int:
    return part.ply


def _after(part: Part) -> Value:
    return part.after if isinstance(part, DealReview) else part.played.value


def _table(sheet: Sheet) -> str:
    kinds = [_kind([row[at] for row in sheet.rows if row[at]]) for at in range(len(sheet.head))]
    head = "".join(_head(cell, "col", kind) for cell, kind in zip(sheet.head, kinds, strict=True))
    named = sheet.head[0] == ""  # then the first column has the names of the rows
    rows = "\n".join(
        "<tr>"
        + "".join(
            _head(cell, "row", kind) if named and not at else f"<td{kind}>{escape(cell)}</td>"
            for at, (cell, kind) in enumerate(zip(row, kinds, strict=True))
        )
        + "</tr>"
        for row in sheet.rows
    )
    label = escape(sheet.title)
    table = f'<table aria-label="{label}"><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>'
    return _scrolling(label, table)


def _head(cell: str, scope: str, kind: str) -> str:
    return f'<th scope="{scope}"{kind}>{escape(cell)}</th>' if cell else "<td></td>"


def _kind(cells: list[str]) -> str:
    """How the cells of a column are set: figures to the right, sentences in no too narrow a column."""
    if cells and all(cell[0] in "+-0123456789" and ":" not in cell for cell in cells):
        return ' class="figure"'
    return ' class="words"' if any(len(cell) > WORDY for cell in cells) else ""


def _scrolling(label: str, inner: str) -> str:
    """What may be wider than a narrow screen."""
    return f'<div class="scroll" role="group" tabindex="0" aria-label="{label}">{inner}</div>'


def _key(names: Sequence[str]) -> str:
    """Which line is whose."""
    lines = (
        f'<span><svg viewBox="0 0 40 8" style="display:inline;width:2.5rem" aria-hidden="true">'
        f'<path d="M0 4H40" class="curve s{seat}" stroke-dasharray="{DASHES[seat]}"/></svg> {escape(name)}</span>'
        for seat, name in enumerate(names)
    )
    return f'<p class="key">{"".join(lines)}</p>'


def _graphs(found: Review, parts: list[Part], texts: Texts) -> Iterator[str]:
    most = max([1.0, *(abs(margin) for part in parts for margin in _after(part).margin)])
    yield _graph(found, parts, texts, texts.win, (0.0, 1.0), lambda value: value.win, texts.percent)
    yield _graph(found, parts, texts, texts.margin, (-most, most), lambda value: value.margin, _points)
    yield _luck(found, parts, texts)


def _points(points: float) -> str:
    return f"{round(points) + 0:+d}"


def _graph(
    found: Review,
    parts: list[Part],
    texts: Texts,
    title: str,
    reach: tuple[float, float],
    of: Callable[[Value], tuple[float, ...]],
    written: Callable[[float], str],
) -> str:
    """A line for each seat over the moves, with bands for rounds and the marks."""
    low, high = reach

    def place(at: int, value: float) -> tuple[float, float]:
        return _across(at, len(parts)), TOP + HEIGHT * (high - value) / (high - low)

    drawn = [*_bands(parts, texts, HEIGHT)]
    for tick in (low, (low + high) / 2, high):
        _, y = place(0, tick)
        drawn.append(_tick(y, written(tick)))
    for seat in range(found.players):
        points = " ".join("{:.1f},{:.1f}".format(*place(at, of(_after(part))[seat])) for at, part in enumerate(parts))
        drawn.append(f'<polyline points="{points}" class="curve s{seat}" stroke-dasharray="{DASHES[seat]}"/>')
    for at, part in enumerate(parts):
        if isinstance(part, DecisionReview) and part.mark:
            x, y = place(at, of(part.played.value)[part.seat])
            drawn.append(
                f'<text x="{x:.1f}" y="{y - 6:.1f}" text-anchor="middle" class="mark">{SHAPES[part.mark]}'
                f"<title>{escape(texts.names[part.seat])}: {part.played.move}</title></text>"
            )
    return _picture(title, TOP + HEIGHT + 8, drawn)


def _luck(found: Review, parts: list[Part], texts: Texts) -> str:
    """A bar for each seat at each deal, in points."""
    most = max([1.0, *(abs(luck.margin) for deal in found.deals for luck in deal.luck)])
    middle = TOP + LUCK_HEIGHT / 2
    drawn = [*_bands(parts, texts, LUCK_HEIGHT)]
    for tick in (most, 0.0, -most):
        y = middle - LUCK_HEIGHT / 2 * tick / most
        drawn.append(_tick(y, _points(tick)))
    for at, part in enumerate(parts):
        if not isinstance(part, DealReview):
            continue
        for seat, luck in enumerate(part.luck):
            tall = LUCK_HEIGHT / 2 * luck.margin / most
            x, y = _across(at, len(parts)) + 9 * seat, min(middle, middle - tall)
            drawn.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="8" height="{abs(tall):.1f}" class="f{seat}">'
                f"<title>{escape(texts.names[seat])}: {texts.signed(luck.margin)}</title></rect>"
            )
    return _picture(texts.luck, TOP + LUCK_HEIGHT + 8, drawn)


def _tick(y: float, written: str) -> str:
    return f'<path d="M{LEFT} {y:.1f}H{WIDTH}" class="axis"/><text x="0" y="{y + 4:.1f}">{written}</text>'


def _across(at: int, count: int) -> float:
    return LEFT + 8 + (WIDTH - LEFT - 48) * at / max(1, count - 1)


def _bands(parts: list[Part], texts: Texts, height: int) -> Iterator[str]:
    """A band for each round, every second one shaded."""
    starts = [at for at, part in enumerate(parts) if at == 0 or part.round != parts[at - 1].round]
    for number, at in enumerate(starts):
        x = _across(at, len(parts)) - 6
        end = _across(starts[number + 1], len(parts)) - 6 if number + 1 < len(starts) else WIDTH
        if number % 2 == 0:
            yield f'<rect x="{x:.1f}" y="{TOP}" width="{end - x:.1f}" height="{height}" class="band"/>'
        yield f'<text x="{x + 4:.1f}" y="14">{escape(texts.round.format(round=parts[at].round))}</text>'


def _picture(title: str, height: float, drawn: list[str]) -> str:
    lines = "\n".join(drawn)
    label = escape(title)
    drawing = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{label}">\n{lines}\n</svg>'
    return f"<h2>{label}</h2>\n{_scrolling(label, drawing)}"
