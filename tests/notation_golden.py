"""The file that holds the notation of both languages together: what is read, and what is said of what cannot be.

`python -m tests.notation_golden` writes it anew from Python; the page's tests read it too.
"""

from __future__ import annotations

import json
import random
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from azulejos import Deal, Dealer, Game, Move, Record, read_record
from azulejos.game.errors import InvalidNotation
from azulejos.game.notation import read_position
from azulejos.game.reader import read_text
from azulejos.game.reading import MOST_NOTES
from azulejos.game.record import Entry
from azulejos.game.replay import replay
from azulejos.game.valid_part import read_valid_part
from azulejos.game.view import WALLS, state_of
from tests.positions import EMPTY, wall_without
from tests.property.test_records import annotate
from tests.test_record_reader import DEAL, GAME, MISTAKES, changed, changed_round, opened, text

FILE = Path(__file__).parent / "golden" / "notation.json"
FRESH = "BYKW/YRK2/Y2RK/BRKW/YR2W"
HELD = EMPTY[:-1] + "F"
FALLEN = EMPTY[:-1] + "B"
STUCK = f"0:-/W/W2/W3/W4:{wall_without('WWWWW')}:-"
READY = "0:B/-/-/-/-:5/5/5/5/5:-"

IMPOSSIBLE = [
    f"std -/-/-/-/- FB {EMPTY} {EMPTY} B20 d1 6@1",
    f"std -/-/-/-/- FW {HELD} {EMPTY} - d1 6@1",
    f"std -/-/-/-/- FW {HELD} {HELD} - d1 6@1",
    f"std -/-/-/-/- W {EMPTY} {EMPTY} - d1 6@1",
    f"std -/B5/-/-/- F {EMPTY} {EMPTY} - d1 6@1",
    f"std -/-/-/-/- FW {EMPTY} {EMPTY} - d1 99999@1",
    f"std -/-/-/-/- FW {EMPTY} {EMPTY} - d3 6@4",
    f"std -/-/-/-/- FW 9999:-/-/-/-/-:5/5/5/5/5:B99 {EMPTY} - d1 6@1",
    f"std -/-/-/-/- FW 0:-/-/-/-/-:B4/5/B4/5/5:- {EMPTY} - d1 1@1",
    f"std -/-/-/-/- FW 0:-/-/-/-/-:BYR2/5/5/5/5:- {EMPTY} - d1 2@1",
    f"std -/-/-/-/- FW 0:-/B/B4/-/-:B1B2/1B3/5/5/5:- {EMPTY} - d1 6@1",
    f"gray -/-/-/-/- FW 0:B/-/-/-/B6:B1B2/5/B4/5/5:- {EMPTY} - d1 6@1",
    f"std -/-/-/-/- F 0:-/B2/-/-/-:BYRKW/5/5/5/5:- {EMPTY} B9 r1 6@1",
    f"gray -/-/-/-/- F 0:B/-/-/-/-:5/5/5/5/YRKWB:- {READY} - t2 6@1",
    f"std -/-/-/-/- F 0:-/B2/-/-/-:5/5/5/5/5:- {EMPTY} B18 e- 6@1",
    f"std -/-/-/-/- F {EMPTY} {EMPTY} - d1 6@1",
    f"std B3/-/Y3/-/- F {EMPTY} {EMPTY} W d1 6@1",
    f"std B3/Y4/-/-/- F {EMPTY} {EMPTY} - d1 6@1",
    f"std B4/B4/B4/B4/- FY4 {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} - {HELD} 0:-/-/B3/-/-:5/5/5/5/5:B - d2 6@1",
    f"gray -/-/-/-/- FW {READY} {EMPTY} B9 t1 6@1",
    f"std -/-/-/-/- - {HELD} {FALLEN} B9 r2 6@1",
    f"std -/-/-/-/- F {FALLEN} {EMPTY} B9 e- 6@1",
    f"std -/-/-/-/- F {READY} {EMPTY} B9 t1 6@1",
    f"gray -/-/-/-/- F {EMPTY} {EMPTY} B9 t1 6@1",
    f"std -/-/-/-/- F {STUCK} {STUCK} B10 r1 6@1",
]
"""Lines that can be read, with every fault that a position can have."""
UNREADABLE = [
    "",
    " ",
    "std",
    "x" * 1001,
    "🀄" * 501,
    f"std {FRESH}/- F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY} - d1 6@1",
    f"std  {FRESH} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} - d1 6@1\n",
    f"Std {FRESH} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} F- {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} FM {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH.replace('K2', 'K1')} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH.replace('K2', 'KK')} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH.replace('K2', 'K100')} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH.replace('BYKW', '')} F {EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY[:-2]} {EMPTY} - d1 6@1",
    f"std {FRESH} F 0{EMPTY} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY} -{EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY.replace('-/-', '-', 1)} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY.replace('-/-', 'BY/-', 1)} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY.replace('5/5', '11111/5', 1)} {EMPTY.replace(':-', ':F-')} - d1 6@1",
    f"std {FRESH} F {EMPTY.replace('5/5', '6/5', 1)} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY.replace('5/5', 'B3/5', 1)} {EMPTY} - d1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} F d1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} - d5 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} - e1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} - d1 0@1",
    f"std {FRESH} F {EMPTY} {EMPTY} - d1 100000@1",
    f"std {FRESH} F {EMPTY} {EMPTY} 'quoted\" d1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} it's d1 6@1",
    f"std {FRESH} F {EMPTY} {EMPTY} \x00\t\r\x7f\xad\u2028\ufeff\\é🀄\U000e0001\xa0 d1 6@1",
]
"""Lines that are none."""
MOVES_UNREAD = [
    "",
    "3B",
    "3B4 ",
    "0B1",
    "dB1",
    "3b4",
    "3B6",
    "3BF",
    "t06",
    "t16",
    "T11",
    "\uff13B4",
    "constructor",
    "it's",
]
"""Words that are no moves."""
DEALS_UNREAD = ["", "B4", "=", "=B1", "=B4/", "=YB/B4", "=/".ljust(40, "/"), "=" + "B/" * 40, "=B4/é", "=F/B4"]
"""Words that are no deals."""
WRITTEN = [
    "Fine.",
    "[%clk 0:09:41] [%eval +3.2]",
    'it\'s \\ a "word"',
    "Évora " * 30 + "end",
    "longest" * 20,
    "🀄 " * 60 + ".",
]
"""Comments for records."""


def fault_of(read: Callable[[str], object], given: str) -> str | None:
    """What is said of a text that cannot be read; of JSON that is none only what both languages say."""
    try:
        read(given)
    except ValueError as fault:
        return re.sub(r"(?s)( as JSON: ).*", r"\1", str(fault))
    return None


def state_text(line: str) -> str:
    """The whole record that a position line stands for."""
    return b64encode(state_of(read_position(line)).tobytes()).decode()


def record_case(given: str) -> dict[str, Any]:
    """What a readable record is: its canonical text, unless it was given so, its JSON, and the position at its end."""
    record = read_record(given)
    text = {} if record.text() == given else {"text": record.text()}
    return {"given": given, **text, "json": record.json(), "end": replay(record).position}


def valid_case(given: str) -> dict[str, Any]:
    """What a damaged record is: the text of its valid part, if there is one, and why it goes no further."""
    found: list[str] = []

    def read(text: str) -> None:
        record, fault = read_valid_part(text)
        found.append(record.text())
        if fault is not None:
            raise InvalidNotation(fault)

    fault = fault_of(read, given)
    return {"given": given, **({"text": found[0]} if found else {}), "fault": fault}


def cut(given: str, rng: random.Random) -> str:
    """The beginning of a text."""
    return given[: rng.randrange(len(given))]


def damaged(given: str, rng: random.Random) -> str:
    """A text with a few characters changed, removed or put in."""
    for _ in range(rng.randint(1, 3)):
        at, kind = rng.randrange(len(given)), rng.randrange(3)
        letter = rng.choice('BYRKWF0123456789-/:@ =$(){}[]"\\\ncdtre*é\x1f\u2003')
        given = given[:at] + (letter if kind else "") + given[at + (kind != 1) :]
    return given


def random_games() -> Iterator[tuple[Game, list[str]]]:
    """Games of all six kinds, each to its end and with a limit of rounds, and the lines of all their positions."""
    for players in (2, 3, 4):
        for wall in WALLS:
            for limit in (None, 2):
                rng = random.Random(f"{players} {wall} {limit}")
                game = Game(players, wall, seed=rng.getrandbits(32), max_rounds=limit)
                lines = []
                while not game.is_over:
                    lines.append(game.position)
                    game.play(rng.choice(game.legal_moves))
                yield game, [game.from_start().position, *lines, game.position]


def chosen(lines: list[str], rng: random.Random) -> Iterator[str]:
    """A few lines of a game, of every phase."""
    for phase in "dtre":
        fitting = [line for line in lines if line.split(" ")[-2][0] == phase]
        yield from rng.sample(fitting, min(3, len(fitting)))


def annotated(game: Game, rng: random.Random) -> Record:
    """The record of a game with things written about it."""
    plain = Record.of(game, ('Ana "the wall" Lima', "back\\slash"), Event="Évora", Date="2026.11.15", Site="🀄")
    entries = annotate(game.from_start(), list(plain.entries), rng, ["Fine."] * 20 + WRITTEN, 2)
    return replace(plain, entries=entries, comments=tuple(WRITTEN[:2]))


def committed_record() -> Record:
    """A game whose deals follow from a secret, long enough that the lid is poured into the bag."""
    dealer = Dealer(bytes(range(32)))
    game = Game(4, "gray", starter=0, max_rounds=4, dealer=dealer)
    while not game.is_over:
        game.play(game.legal_moves[0])
    return Record.of(game, DealCommitment=dealer.commitment, DealSecret=dealer.secret)


def golden() -> dict[str, list[Any]]:
    """The whole file, from Python."""
    rng = random.Random(15)
    games = list(random_games())
    lines = [line for _, played in games for line in chosen(played, rng)]
    committed = committed_record()
    waiting = replace(GAME, entries=(Entry(None, (1, 0)),), tags={"Position": GAME_POSITION})
    records = [game.to_record() for game, _ in games[::2]] + [annotated(game, rng).text() for game, _ in games[1::2]]
    records += [
        committed.text(),
        waiting.text(),
        GAME.text(),
        text(f"R1@1 {DEAL} 1B1 0-0", "0-0", Termination="resigned", Zebra="z"),
    ]
    records += [opened("1B1$1{a}{ b  c }(1B2(1Bf)2K2{d})2K2{e}").replace(" ", "\t\x1f\u2003\r\n")]
    broken = [given for given, _ in MISTAKES.values()] + WRONG_RECORDS
    broken += [committed.text().replace("1e1f", end) for end in ("1e1e", "1E1F")]
    broken += [replace(committed, tags={"DealSecret": "00" * 32, "Termination": "round_limit"}).text()]
    broken += [damaged(rng.choice(records[-4:]), rng) for _ in range(120)]
    wrong = IMPOSSIBLE + UNREADABLE + [damaged(rng.choice(lines), rng) for _ in range(150)]
    deals = [str(play) for game, _ in games for play in game.history[:1]]
    return {
        "positions": [{"line": line, "state": state_text(line)} for line in lines],
        "wrong positions": _faults(read_position, wrong),
        "moves": [str(Move.from_id(number)) for number in range(325)],
        "wrong moves": _faults(Move.parse, MOVES_UNREAD),
        "deals": [{"deal": deal, "displays": Deal.parse(deal).displays} for deal in deals],
        "wrong deals": _faults(Deal.parse, DEALS_UNREAD),
        "records": [record_case(given) for given in records],
        "wrong records": _faults(read_text, broken),
        "valid parts": [valid_case(given) for given in dict.fromkeys([*broken, *_harmed(games, rng)])],
    }


GAME_POSITION = Game(seed=1, starter=0).position
WRONG_RECORDS = [
    opened("1B1" + (MOST_NOTES + 1) * "$1"),
    text(f"R1@1 {DEAL} 1B1 2Y1 1B2 *"),
    text(f"R1@1 {DEAL} 9B1 *"),
    text(f"R1@1 {DEAL} t11 *"),
    text("1B1 *"),
    text(f"R1@1 {DEAL} 1B1 R1@1 {DEAL} *"),
    text("R1@1 =B4/B4/B4/B4/B4Y *"),
    text("R1@1 =B4/B4/B4 *"),
    text(f"R1@1 {DEAL} 1B1 ( 1Y1 1K1 ) *"),
    text("R1@1 *", Position=GAME_POSITION.replace("B18", "B19")),
    text("R1@1 *", Position="nonsense"),
    text("*", Position=Game(players=3, seed=1).position),
    text(f"R99999@1 {DEAL} *", Termination="round_limit"),
    opened("1B1" + " ( 1B2" * 33 + " )" * 33),
    opened("1B1", Site="a\tb"),
    opened("1B1", Player2="\u2028"),
    "{}",
    "[]",
    '{"v":1',
    changed(v=2),
    changed(v=True),
    changed(wall="blue"),
    changed(players=["a"]),
    changed(players=["a", 2]),
    changed(rounds={"a": [None, False]}),
    changed(rounds=[1]),
    changed(result="0-0"),
    changed(result=[0, True]),
    changed(tags={"Site": 1}),
    changed(tags={"a b": "c"}),
    changed(comments=["{"]),
    changed_round(deal=5),
    changed_round(deal="BYKW"),
    changed_round(moves=[5]),
    changed_round(moves=None),
    changed_round(glyphs=[-1]),
    changed_round(glyphs=["1"]),
    changed_round(comments=["a  b"]),
    changed_round(variations=[5]),
    changed_round(variations=[[]]),
    changed_round(starter=0),
    changed_round(starter=3),
    changed_round(round=2),
]
"""Records with one mistake each, beside those of the reader's own tests."""


def _harmed(games: list[tuple[Game, list[str]]], rng: random.Random) -> Iterator[str]:
    """Records of short games and of a game from a position, as text and as JSON, cut short and damaged."""
    short = min((game for game, _ in games), key=lambda game: len(game.history))
    middle = Game.from_position(Game(seed=1, starter=0).position)
    for _ in range(6):
        middle.play(rng.choice(middle.legal_moves))
    for record in (annotated(short, rng), Record.of(middle)):
        for whole in (record.text(), record.json_text(), json.dumps(record.json(), indent=1)):
            yield from (cut(whole, rng) for _ in range(6))
            yield from (damaged(whole, rng) for _ in range(4))


def _faults(read: Callable[[str], object], given: list[str]) -> list[dict[str, str | None]]:
    """What cannot be read with its sentence; damage that does no harm is left out."""
    found = [{"given": each, "fault": fault_of(read, each)} for each in given]
    return [case for case in found if case["fault"] is not None]


def main() -> None:
    """Write the file, one case a line."""
    parts = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases) + "\n]"
        for name, cases in golden().items()
    ]
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
