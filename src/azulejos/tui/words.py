"""What the terminal says about the game, in the person's language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from azulejos.drawing.words import Captions
from azulejos.game.happening import Bonus, Drafted, Fell, FloorScored, Happening, Tiled
from azulejos.game.moves import LINE_LETTERS, Deal, Move
from azulejos.game.preview import Preview
from azulejos.game.view import COLOR_NAMES, Counts, View
from azulejos.locale import _, ngettext
from azulejos.players.player import Choice
from azulejos.rules.state import CENTER, FLOOR, ROWS
from azulejos.tui.numbers import percent, signed
from azulejos.tui.table.table import Change


def sentence(told: str) -> str:
    """Words with a capital and a full stop."""
    return f"{told[:1].upper()}{told[1:]}."


def printable(text: str) -> str:
    """What somebody else wrote, without anything that moves the cursor."""
    return "".join(filter(str.isprintable, text)).strip()


def color_name(color: int) -> str:
    """The name of a color."""
    return (_("blue"), _("yellow"), _("red"), _("black"), _("white"))[color]


def tiles(count: int, color: int) -> str:
    """A number of tiles of a color, such as 2 blue."""
    sentence = (
        ngettext("{count} blue", "{count} blue", count),
        ngettext("{count} yellow", "{count} yellow", count),
        ngettext("{count} red", "{count} red", count),
        ngettext("{count} black", "{count} black", count),
        ngettext("{count} white", "{count} white", count),
    )[color]
    return sentence.format(count=count)


def all_tiles(counts: Counts, marker: bool = False) -> str:
    """What lies somewhere; nothing if it is empty."""
    parts = [_("starting-player marker")] if marker else []
    parts += [tiles(count, color) for color, count in enumerate(counts) if count]
    return ", ".join(parts)


def points(count: int) -> str:
    """A number of points in words."""
    return ngettext("{count} point", "{count} points", count).format(count=count)


def level_name(spec: str) -> str:
    """A computer player in plain words: its level, full strength, or the name it is known by."""
    levels = {
        "level1": _("Beginner"),
        "level2": _("Casual"),
        "level3": _("Regular"),
        "level4": _("Practiced"),
        "level5": _("Skilled"),
        "level6": _("Strong"),
        "level7": _("Expert"),
        "level8": _("Master"),
        "net": _("Full strength"),  # with options it may be anything
    }
    plain = printable(spec)
    return levels.get(plain) or plain.partition(":")[0].capitalize()


def draft(move: Move, done: Drafted | Preview) -> str:
    """What a draft did, or would do."""
    held = tiles(done.taken, move.color)
    line = LINE_LETTERS[move.line]
    if move.source == CENTER and move.line == FLOOR:
        words = _("{tiles} from the center to the floor").format(tiles=held)
    elif move.source == CENTER:
        words = _("{tiles} from the center to line {line}").format(tiles=held, line=line)
    elif move.line == FLOOR:
        words = _("{tiles} from display {number} to the floor").format(tiles=held, number=move.source)
    else:
        words = _("{tiles} from display {number} to line {line}").format(tiles=held, number=move.source, line=line)
    if done.dropped and move.line != FLOOR:
        words += _(", {count} to the floor").format(count=done.dropped)
    return words + (_(", with the starting-player marker") if done.marker else "")


def group(view: View, source: int, color: int) -> str:
    """A group of tiles that can be taken, and what goes to the center."""
    counts = view.center if source == CENTER else view.displays[source - 1]
    held = tiles(counts[color], color)
    if source == CENTER:
        words = _("{tiles} from the center").format(tiles=held)
        return words + (_(", with the starting-player marker") if view.marker else "")
    rest = tuple(0 if other == color else count for other, count in enumerate(counts))
    if not any(rest):
        return _("{tiles} from display {number}").format(tiles=held, number=source)
    return _("{tiles} from display {number}, sends {rest} to the center").format(
        tiles=held, number=source, rest=all_tiles(rest)
    )


def in_hand(view: View, source: int, color: int) -> str:
    """The tiles that were taken from somewhere."""
    counts = view.center if source == CENTER else view.displays[source - 1]
    told = _("{tiles} from the center") if source == CENTER else _("{tiles} from display {number}")
    return told.format(tiles=tiles(counts[color], color), number=source)


def effect(move: Move, preview: Preview) -> str:
    """What a move would do to the board."""
    if move.is_tiling:
        return _("row {row}, column {column}: +{points}").format(
            row=move.row + 1, column=move.column + 1, points=preview.points
        )
    parts = []
    if move.line != FLOOR and preview.completes:
        parts.append(
            _("completes line {line}: +{points} after the round").format(line=move.line + 1, points=preview.points)
        )
        if not preview.columns:
            parts[-1] = _("completes line {line}, but no column can take it").format(line=move.line + 1)
    elif move.line != FLOOR:
        parts.append(_("{count} to line {line}").format(count=preview.placed, line=move.line + 1))
    if preview.dropped:
        parts.append(
            ngettext("{count} tile falls to the floor", "{count} tiles fall to the floor", preview.dropped).format(
                count=preview.dropped
            )
        )
    if preview.cost:
        parts.append(ngettext("costs {count} point", "costs {count} points", preview.cost).format(count=preview.cost))
    return ", ".join(parts)


def tiling(tile: Tiled | Fell) -> str:
    """A line that left its place."""
    color = color_name(tile.color)
    if isinstance(tile, Fell):
        return ngettext(
            "no place for {color} in row {row}, {count} tile falls to the floor",
            "no place for {color} in row {row}, {count} tiles fall to the floor",
            tile.count,
        ).format(color=color, row=tile.row + 1, count=tile.count)
    return _("{color} on row {row}, column {column}: +{points}").format(
        color=color, row=tile.row + 1, column=tile.column + 1, points=tile.points
    )


def floor(scored: FloorScored) -> str:
    """A floor that was scored."""
    words = _("floor -{points}").format(points=scored.penalty)
    if scored.lost == scored.penalty:
        return words
    return words + _(" (only {points}: the score stops at 0)").format(points=scored.lost)


def bonus(given: Bonus) -> str:
    """What a wall added at the end."""
    counts = (
        (given.rows, ngettext("{count} complete row", "{count} complete rows", given.rows)),
        (given.columns, ngettext("{count} complete column", "{count} complete columns", given.columns)),
        (given.colors, ngettext("{count} complete color", "{count} complete colors", given.colors)),
    )
    parts = [sentence.format(count=count) for count, sentence in counts if count]
    told = ", ".join(parts) or _("nothing complete")
    return f"{told}: +{given.points}"


def round_starts(number: int, name: str) -> str:
    """The head of a round."""
    if name == _("You"):
        return _("Round {round}; you start.").format(round=number)
    return _("Round {round}; {name} starts.").format(round=number, name=name)


def turn(view: View, names: Sequence[str], *, is_over: bool = False) -> str:
    """Whose turn it is; a game can be over although the position is not."""
    if is_over or view.seat is None:
        return _("The game is over")
    name = names[view.seat]
    return _("Your turn") if name == _("You") else _("It is the turn of {name}").format(name=name)


def supply(view: View) -> str:
    """How many tiles are in the bag and in the lid."""
    return _("bag {bag}   lid {lid}").format(bag=sum(view.bag), lid=sum(view.lid))


def captions(view: View, names: Sequence[str], options: Collection[Move] = ()) -> Captions:
    """The words of a table that is drawn line by line; `options` are the moves that are asked for."""
    this_round = _("Round {round}").format(round=view.round)
    return Captions(
        f"{this_round} - {_('Last round')}" if view.last_round else this_round,
        turn(view, names),
        supply(view),
        [points(board.score) for board in view.boards],
        [_("loses {points}").format(points=board.penalty) if board.penalty else "" for board in view.boards],
        _spelling(options),
    )


def _spelling(options: Collection[Move]) -> str:
    """How the moves that are asked for are spelled."""
    if not options:
        return ""
    first = next(iter(options))
    if not first.is_tiling:
        return _("A move is source, color, line: 3B4, cR2; f is the floor: 5Kf.")
    return _("The choices for line {line} are {moves}.").format(line=first.row + 1, moves=", ".join(map(str, options)))


def story(happening: Happening, names: Sequence[str], after: View) -> list[str]:
    """Everything that a move did, a line for each thing."""
    lines = []
    if isinstance(happening.move, Move) and happening.drafted:
        lines.append(f"{names[happening.seat or 0]} {happening.move}: {draft(happening.move, happening.drafted)}.")
    lines += [f"  {names[tile.seat]}: {tiling(tile)}." for tile in happening.tiling]
    lines += [f"  {names[scored.seat]}: {floor(scored)}." for scored in happening.floors if scored.penalty]
    lines += [f"  {names[given.seat]}: {bonus(given)}." for given in happening.bonuses]
    if happening.floors:
        scores = ", ".join(f"{name} {board.score}" for name, board in zip(names, after.boards, strict=True))
        lines.append(_("Scores: {scores}.").format(scores=scores))
    if happening.deal or isinstance(happening.move, Deal):
        lines.append(round_starts(after.round, names[after.starter]))
    return lines


def last_round(view: View, names: Sequence[str]) -> str:
    """That this round ends the game, and whose rows will be complete; nothing while that is open."""
    if not view.last_round:
        return ""
    rows = [
        (_("your row {row}") if name == _("You") else _("row {row} of {name}")).format(row=row + 1, name=name)
        for name, board in zip(names, view.boards, strict=True)
        for row in range(ROWS)
        if board.will_complete(row)
    ]
    return _("Last round: it will complete {rows}.").format(rows=", ".join(rows))


def notes(change: Change, names: Sequence[str]) -> list[str]:
    """What there is to say of a change besides its moves: a row that will end the game, or something that happened."""
    last = last_round(change.after, names)
    is_news = last != last_round(change.before, names)
    return [note for note in (last if is_news else "", change.note) if note]


def hint(best: Choice, seat: int) -> str:
    """What is recommended to a seat, with what it promises."""
    told = _("Hint: {move}").format(move=best.move)
    if best.margin is None or not best.win:
        return told
    more = _("(expected lead {margin}, chance to win {win})")
    return f"{told} {more.format(margin=signed(best.margin), win=percent(best.win[seat]))}"


def refusal(code: str, arguments: Mapping[str, str | int] = MappingProxyType({})) -> str:
    """Why something is not allowed, by its code."""
    known = {
        "game_over": _("the game is over"),
        "tile_first": _("a tile of line {row} has to be placed first"),
        "nothing_to_tile": _("no tile is waiting to be placed"),
        "no_such_display": _("there are {displays} displays"),
        "color_not_there": _("there is no {color} there"),
        "line_full": _("line {line} is full"),
        "other_color": _("line {line} holds {color}"),
        "color_on_row": _("{color} is already on row {row}"),
        "cell_taken": _("row {row}, column {column} is taken"),
        "color_in_column": _("{color} is already in column {column}"),
        "nothing_to_undo": _("there is nothing to undo"),
        "no_hints": _("hints are not allowed at this table"),
        "undo_too_late": _("too late to undo: somebody else has played"),
        "undo_past_deal": _("too late to undo: the next tiles have been dealt"),
        "table_full": _("this table takes no more of these: the limit is {most}"),
        "not_away_long": _("this player has not been away for long: a computer can take over in {seconds} s"),
        "not_your_turn": _("it is not your turn"),
        "not_your_seat": _("that is not your seat"),
        "stale_version": _("something happened in the meantime: look again"),
        "connection_lost": _("the connection was lost"),
        "no_computer": _("no computer can answer just now: try again"),
        "too_fast": _("that was too fast: wait a moment"),
        "busy": _("the server is busy: try again in a moment"),
        "storage_failed": _("the server could not save this, so it did not happen: try again"),
        "internal": _("something went wrong on the server"),
        "seat_not_absent": _("this player is here"),
        "seat_taken": _("this seat is no longer free"),
        "no_lobby": _("that server has no lobby"),
        "seat_resigned": _("this player has resigned"),
        "not_substituted": _("no computer is playing for this seat"),
        "out_of_time": _("the time of this player is up"),
        "not_over": _("the game is not over yet"),
        "unknown_table": _("there is no such table on that server"),
        "wrong_link": _("this link opens no seat at that table: perhaps a part of it is missing"),
        "wrong_protocol": _("this program and the server speak different versions of the protocol"),
    }
    sentence = known.get(code, _("not possible ({code})"))
    named = dict(arguments, code=code)
    if named.get("color") in COLOR_NAMES:
        named["color"] = color_name(COLOR_NAMES.index(str(named["color"])))
    try:
        return sentence.format(**named)
    except (KeyError, IndexError):
        return code


def fault_sentence(fault: str) -> str:
    """Why a record was not followed any further."""
    return _("The record can be followed no further: {fault}").format(fault=fault)


def reason(code: str) -> str:
    """Why the game ended."""
    return {
        "row": _("A row was completed"),
        "stalled": _("Nobody could place a tile anymore"),
        "round_limit": _("The last agreed round was played"),
        "resigned": _("A player resigned"),
        "time": _("A clock ran out"),
    }.get(code, code)


def result(winners: Sequence[int], scores: Sequence[int], names: Sequence[str]) -> str:
    """Who won, in a sentence."""
    told = _(" to ").join(map(str, scores))
    if len(winners) > 1:
        shared = _(" and ").join(names[seat] for seat in winners)
        return _("The victory is shared by {names}: {scores}.").format(names=shared, scores=told)
    if names[winners[0]] == _("You"):
        return _("You win, {scores}.").format(scores=told)
    return _("{name} wins, {scores}.").format(name=names[winners[0]], scores=told)


def position(view: View, names: Sequence[str]) -> list[str]:
    """The whole position in sentences, for a screen reader."""
    lines = [last_round(view, names)] if view.last_round else []
    for number, display in enumerate(view.displays, 1):
        told = _("Display {number}: {tiles}.") if any(display) else _("Display {number}: empty.")
        lines.append(told.format(number=number, tiles=all_tiles(display)))
    lying = all_tiles(view.center, view.marker)
    lines.append(_("Center: {tiles}.").format(tiles=lying) if lying else _("Center: empty."))
    for name, board in zip(names, view.boards, strict=True):
        lines.append(f"{name}: {points(board.score)}.")
        for number, line in enumerate(board.lines, 1):
            if line.color is not None:
                lines.append(
                    "  "
                    + _("Line {line}: {count} of {line} {color}.").format(
                        line=number, count=line.count, color=color_name(line.color)
                    )
                )
        for number, row in enumerate(board.wall, 1):
            cells = [
                _("{color} in column {column}").format(color=color_name(cell), column=column)
                for column, cell in enumerate(row, 1)
                if cell is not None
            ]
            if cells:
                lines.append("  " + _("Wall row {row}: {tiles}.").format(row=number, tiles=", ".join(cells)))
        if board.penalty:
            lines.append(
                "  "
                + _("Floor: {tiles}, costs {cost}.").format(
                    tiles=all_tiles(board.floor, board.marker), cost=board.penalty
                )
            )
    return lines
