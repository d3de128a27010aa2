"""What the terminal says about a review, in the person's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from azulejos import locale
from azulejos.analysis.analyst import Reason, Value
from azulejos.analysis.likeness import Likeness, likeness
from azulejos.analysis.marks import MARKS
from azulejos.analysis.receipt import PARTS
from azulejos.analysis.review import Amount, DecisionReview, Review
from azulejos.analysis.rounding import rounded
from azulejos.analysis.texts import Row, Sheet, Texts
from azulejos.analysis.totals import Total
from azulejos.arena.statistics import Z95
from azulejos.game.game import Game
from azulejos.game.moves import Move
from azulejos.game.record import Record
from azulejos.game.replay import start_of
from azulejos.locale import _, ngettext
from azulejos.players.levels import spec_of
from azulejos.tui import words
from azulejos.tui.numbers import decimal, percent, signed
from azulejos.tui.table.recorded import seat_name


class Reviewer(Protocol):
    """Reviews a record, tells how far it is, and stops when it is told to; as `analysis.review.review` does."""

    def __call__(
        self, record: Record, /, *, tell: Callable[[int, int], None] = ..., stop: Callable[[], bool] = ...
    ) -> Review:
        """The review."""


def mark(code: str) -> str:
    """What a move with this mark is called; nothing for one without."""
    return {"inaccuracy": _("inaccuracy"), "mistake": _("mistake"), "blunder": _("blunder")}.get(code, "")


def part(code: str) -> str:
    """A line of a receipt."""
    return {
        "expected": _("expected at the start"),
        "luck": _("luck of the deals"),
        "own": _("own losses"),
        "others": _("losses of the others"),
        "remainder": _("seen only later"),
        "result": _("result"),
    }[code]


def reason(why: Reason, names: Sequence[str]) -> str:
    """One thing that speaks against a move."""
    count = abs(why.points)
    told = {
        "line_open": ngettext(
            "line {line} stays open: {count} point less", "line {line} stays open: {count} points less", count
        ),
        "line_less": ngettext("line {line} scores {count} point less", "line {line} scores {count} points less", count),
        "floor": ngettext("the floor costs {count} point more", "the floor costs {count} points more", count),
        "bonus": ngettext("{count} point less at the end", "{count} points less at the end", count),
        "start": _("somebody else starts the next round"),
        "other_line": ngettext(
            "{name} scores {count} point more with line {line}",
            "{name} scores {count} points more with line {line}",
            count,
        ),
        "other_floor": ngettext(
            "the floor of {name} costs {count} point less", "the floor of {name} costs {count} points less", count
        ),
        "other_bonus": ngettext(
            "{name} gets {count} point more at the end", "{name} gets {count} points more at the end", count
        ),
        "ends": _("the game ends with this round"),
        "goes_on": _("the game does not end with this round"),
        "later": _("nothing this round, but a worse position"),
    }[why.code]
    return told.format(line=why.row + 1, count=count, name=names[why.seat])


def reasons(each: DecisionReview, names: Sequence[str]) -> str:
    """Everything that speaks against a move."""
    return "; ".join(reason(why, names) for why in each.reasons)


def like(found: Likeness | None, name: str) -> str:
    """What somebody played like; nothing where too little is known."""
    if found is None:
        return ""
    low, high = (words.level_name(spec_of(number)) for number in (found.lowest, found.highest))
    if found.lowest == found.highest:
        told = _("{name} played like {low}: {points} points and {win} of the chance to win lost with each move.")
    else:
        told = _(
            "{name} played like {low} to {high}: {points} points and {win} of the chance to win lost with each move."
        )
    points = decimal(found.loss.margin)
    return told.format(name=name, low=low, high=high, points=points, win=percent(found.loss.win, 1))


def loss(amount: Amount) -> str:
    """What a move cost: chance to win and points."""
    return _("lost {win} of the chance to win and {points} points").format(
        win=percent(amount.win, 1), points=decimal(amount.margin)
    )


def _stopped(record: Record, found: Review) -> str:
    done, total = len(found.deals) + len(found.decisions), sum(entry.play is not None for entry in record.entries)
    return _(
        "The review was stopped after {done} of {total} moves and deals; the position after them counts as the result."
    ).format(done=done, total=total)


@dataclass(frozen=True, slots=True)
class _Told:
    """The words of a decision."""

    played: str
    best: str


def move_words(game: Game, move: Move) -> str:
    """A move with what it does, in words."""
    preview = game.preview(move)
    return f"{move}: {words.effect(move, preview) if move.is_tiling else words.draft(move, preview)}"


def _told_moves(record: Record, found: Review) -> Iterator[_Told]:
    """The words of every decision, in order."""
    game = start_of(record).copy()
    decisions = {each.ply: each for each in found.decisions}
    ply = 0
    for entry in record.entries:
        if entry.play is None:
            continue
        each = decisions.get(ply)
        if each is not None:
            better = each.best.move != each.played.move
            yield _Told(move_words(game, each.played.move), move_words(game, each.best.move) if better else "")
        elif ply > max(decisions, default=-1):
            return
        game.play(entry.play)
        ply += 1


def notes(record: Record, found: Review, names: Sequence[str]) -> dict[int, list[str]]:
    """What was found of each step of a record, a few lines each; the first move or deal is step 1."""
    told = {
        deal.ply + 1: [
            _("Luck: {players}.").format(players=_by_seat(names, [signed(luck.margin) for luck in deal.luck])),
            _chances(deal.after, names),
        ]
        for deal in found.deals
    }
    for each, moves in zip(found.decisions, _told_moves(record, found), strict=True):
        lines = told[each.ply + 1] = [_chances(each.played.value, names)]
        if each.mark:
            lines.append(f"{words.sentence(mark(each.mark))} {words.sentence(loss(each.loss))}")
            lines.append(_("Better: {move}.").format(move=moves.best))
            lines.append(words.sentence(reasons(each, names)))
    return told


def _chances(value: Value, names: Sequence[str]) -> str:
    chances = _("Chance to win: {players}.").format(players=_by_seat(names, [percent(win) for win in value.win]))
    leads = _("Expected lead: {players}.").format(players=_by_seat(names, [signed(lead) for lead in value.margin]))
    return f"{chances} {leads}"


def _by_seat(names: Sequence[str], told: Sequence[str]) -> str:
    return ", ".join(f"{name} {what}" for name, what in zip(names, told, strict=True))


def texts(record: Record, found: Review) -> Texts:
    """Everything there is to say of a review; the record as far as it is valid."""
    names = tuple(seat_name(seat, name) for seat, name in enumerate(record.names))
    summary = [line for seat, each in enumerate(likeness(found)) if (line := like(each, names[seat]))]
    if found.stopped:
        summary.append(_stopped(record, found))
    elif not found.finished:
        summary.append(_("The game was not over: its last position counts as the result."))
    if found.fault:
        summary.append(words.fault_sentence(found.fault))
    return Texts(
        language=locale.language(),
        title=_("Review: {names}").format(names=" - ".join(names)),
        names=names,
        summary=tuple(summary),
        receipts=_receipts(found, names, "margin"),
        chances=_receipts(found, names, "win"),
        marks=_marks(found, names),
        deals=_deals(found, names),
        decisions=_decisions(record, found, names),
        win=_("Chance to win"),
        margin=_("Expected lead in points"),
        luck=_("Luck of the deals in points"),
        round=_("Round {round}"),
        percent=percent,
        signed=signed,
    )


def _receipts(found: Review, names: Sequence[str], what: str) -> Sheet:
    """A row for each part, a column for each seat; what is written adds up."""
    columns = []
    for receipt in found.receipts:
        lines = rounded([getattr(receipt[code], what) for code in PARTS], 0.1 if what == "margin" else 0.01)
        columns.append([signed(value) if what == "margin" else percent(value, sign="+") for value in lines])
    title = _("What the result is made of, in points") if what == "margin" else _("What the chance to win is made of")
    rows = tuple((part(code), *(column[at] for column in columns)) for at, code in enumerate(PARTS))
    return Sheet(title, ("", *names), rows if columns else ())


def _marks(found: Review, names: Sequence[str]) -> Sheet:
    rows = []
    for seat, name in enumerate(names):
        own = [each for each in found.decisions if each.seat == seat]
        rows.append((name, str(len(own)), *(str(sum(each.mark == code for each in own)) for code in MARKS[1:])))
    head = (_("player"), _("decisions"), *(mark(code) for code in MARKS[1:]))
    return Sheet(_("Marks"), head, tuple(rows))


def _deals(found: Review, names: Sequence[str]) -> Sheet:
    rows: list[Row] = [
        (str(deal.round), *(f"{signed(luck.margin)} ({percent(luck.win, 1, '+')})" for luck in deal.luck))
        for deal in found.deals
    ]
    return Sheet(_("Luck of the deals in points"), (_("round"), *names), tuple(rows))


def _decisions(record: Record, found: Review, names: Sequence[str]) -> Sheet:
    rows = [
        (
            str(each.round),
            names[each.seat],
            told.played,
            told.best,
            percent(each.played.value.win[each.seat]),
            percent(each.loss.win, 1) if told.best else "",
            decimal(each.loss.margin) if told.best else "",
            mark(each.mark),
            reasons(each, names),
        )
        for each, told in zip(found.decisions, _told_moves(record, found), strict=True)
    ]
    head = (
        _("round"), _("player"), _("played"), _("better"), _("chance to win"), _("lost"), _("points lost"), _("mark"),
        _("why"),
    )  # fmt: skip
    return Sheet(_("Decisions"), head, tuple(rows))


def total_sheet(total: Total) -> Sheet:
    """What the lines of a player's receipts were on average, each with half a 95 % interval."""
    games = len(total.receipts)
    rows = [
        (part(code), _mean(total, code, "margin", signed), _mean(total, code, "win", lambda win: percent(win, 1, "+")))
        for code in PARTS
    ]
    title = ngettext("{name}, {count} game", "{name}, {count} games", games)
    head = ("", _("points a game"), _("chance to win"))
    return Sheet(title.format(name=words.printable(total.name), count=games), head, tuple(rows))


def _mean(total: Total, code: str, what: str, written: Callable[[float], str]) -> str:
    told, error = written(getattr(total.mean(code), what)), total.error(code)
    return told if error is None else f"{told} ± {written(Z95 * getattr(error, what)).lstrip('+')}"


def totals_summary(totals: Sequence[Total]) -> list[str]:
    """What everybody played like in all games together."""
    return [line for total in totals if (line := like(total.like, words.printable(total.name)))]
