"""The committed dealer: unbiased, repeatable, checked by anybody."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import comb
from pathlib import Path

import numpy as np
import pytest

from azulejos import Deal, Dealer, Game, InvalidNotation, Record, read_record
from azulejos.rules.state import DRAFTING, States
from azulejos.rules.supply import deal_drawn
from tests.command import run

EMPTY = "0:-/-/-/-/-:5/5/5/5/5:-"
COLUMNS_BUT_THE_LAST = "20:-/-/-/-/-:BYRK1/WBYR1/KWBY1/RKWB1/YRKW1:-"
FIXED = [Dealer(hashlib.sha256(b"test %d" % number).digest()) for number in range(3000)]


def fresh(players: int = 2) -> States:
    """A table before its first deal."""
    return Game(players, seed=1, starter=0).from_start().states


def waiting(bag: str) -> Game:
    """A game of two before its second deal with only these tiles in the bag, all others in the lid."""
    return Game.from_position(f"std -/-/-/-/- F {EMPTY} {EMPTY} {bag} r1 2@1")


def total(deal: Deal) -> tuple[int, ...]:
    return tuple(map(sum, zip(*deal.displays, strict=True)))


def surprise(seen: Counter[int], chances: dict[int, float]) -> float:
    """Pearson's chi-square."""
    games = sum(seen.values())
    return sum((seen[value] - games * chance) ** 2 / (games * chance) for value, chance in chances.items())


def committed_game(dealer: Dealer, count: int = 10_000) -> Game:
    """The lowest legal move each time, with the dealer's deals."""
    game = Game(seed=1, starter=0).from_start()
    for _ in range(count):
        if game.is_over:
            break
        game.play(dealer.deal(game.states) if game.phase == "r" else game.legal_moves[0])
    return game


def committed_record(dealer: Dealer, count: int = 10_000) -> Record:
    return Record.of(committed_game(dealer, count), DealCommitment=dealer.commitment, DealSecret=dealer.secret)


# --- secret and commitment


def test_the_commitment_is_the_digest_of_label_and_secret() -> None:
    secret = bytes(range(32))
    assert Dealer(secret).commitment == hashlib.sha256(b"azulejos commitment 1\n" + secret).hexdigest()


def test_secrets_are_made_up_anew() -> None:
    one, other = Dealer(), Dealer()
    assert one.secret != other.secret
    assert len(bytes.fromhex(one.secret)) == 32


def test_a_secret_reads_back() -> None:
    dealer = FIXED[0]
    assert Dealer.from_text(dealer.secret).commitment == dealer.commitment
    assert Dealer.from_text(dealer.secret).deal(fresh()) == dealer.deal(fresh())


def test_a_dealer_does_not_show_its_secret() -> None:
    assert FIXED[0].secret not in repr(FIXED[0])
    assert FIXED[0].commitment in repr(FIXED[0])


@pytest.mark.parametrize(
    "text", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 63 + "\n", " " + "0" * 63, "\u0660" * 64]
)
def test_a_malformed_secret_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation, match="64 hexadecimal digits") as caught:
        Dealer.from_text(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(InvalidNotation, match=f"32 bytes, not {length}"):
        Dealer(bytes(length))


# --- deals


def first_tile(bag: list[int], numbers: list[int]) -> int | None:
    """The color that comes first out of a bag; None if the numbers are too few for it."""
    states = Game.undealt(2, starter=0).states
    states[0]["bag"] = bag
    deal_drawn(states[0], np.array(numbers, np.uint8))
    dealt = states[0]["displays"][1]
    return None if not dealt.any() else int(dealt.argmax())


def test_each_tile_is_exactly_as_likely() -> None:
    for bag in ([20, 20, 20, 20, 20], [1, 2, 3, 4, 5], [0, 0, 1, 0, 0], [7, 0, 13, 20, 3], [19, 20, 20, 20, 20]):
        size = sum(bag)
        taken = Counter(first_tile(bag, [byte]) for byte in range(256))
        assert taken.pop(None, 0) == 256 % size  # these would favor tiles that are counted first
        assert taken == {color: count * (256 // size) for color, count in enumerate(bag) if count}


def test_numbers_that_would_favor_a_tile_are_passed_over() -> None:
    assert first_tile([20, 20, 20, 20, 20], [200, 255, 99]) == 4


def test_numbers_that_are_too_few_are_told_and_more_are_taken() -> None:
    states = Game.undealt(4, starter=0).states
    assert deal_drawn(states[0], np.zeros(35, np.uint8)) == -1
    states = Game.undealt(4, starter=0).states
    assert deal_drawn(states[0], np.zeros(50, np.uint8)) == 36
    assert states[0]["phase"] == DRAFTING


def by_hand(secret: bytes, round_number: int, bag: list[int], lid: list[int], places: int) -> list[int]:
    """The colors dealt, one after the other, by the steps as they are told: no code of the dealer."""

    def stream() -> Iterator[int]:
        block = 0
        while True:
            message = b"azulejos deal 1\n" + round_number.to_bytes(4, "big") + block.to_bytes(4, "big")
            yield from hmac.new(secret, message, hashlib.sha256).digest()
            block += 1

    numbers, dealt = stream(), []
    tiles = [color for color in range(5) for _ in range(bag[color])]
    rest = [color for color in range(5) for _ in range(lid[color])]
    for _ in range(places):
        if not tiles:
            tiles, rest = rest, []
        if tiles:
            number = next(numbers)
            while number >= 256 - 256 % len(tiles):
                number = next(numbers)
            dealt.append(tiles.pop(number % len(tiles)))
    return dealt


@pytest.mark.parametrize("bag", ["B20Y20R20K20W20", "B3", "YRKW", "B7Y7R7K7W7", "K20", "K19"])
def test_a_deal_can_be_worked_out_by_hand(bag: str) -> None:
    game = waiting(bag)
    view, states = game.view, game.states
    for dealer in FIXED[:20]:
        dealt = by_hand(bytes.fromhex(dealer.secret), 2, list(view.bag), list(view.lid), 20)
        displays = [Counter(dealt[at : at + 4]) for at in range(0, 20, 4)]
        assert dealer.deal(states) == Deal(tuple(tuple(tiles[color] for color in range(5)) for tiles in displays))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_state_gets_the_same_deal_and_is_not_changed(players: int) -> None:
    states = fresh(players)
    before = states.tobytes()
    deal = FIXED[0].deal(states)
    assert FIXED[0].deal(states) == deal
    assert states.tobytes() == before
    assert [sum(display) for display in deal.displays] == [4] * (2 * players + 1)


def test_other_rounds_and_other_secrets_give_other_deals() -> None:
    states, later = fresh(), fresh()
    later["round_number"] = 2
    assert len({str(dealer.deal(states)) for dealer in FIXED[:50]}) == 50
    assert FIXED[0].deal(states) != FIXED[0].deal(later)


def test_the_random_stream_of_the_state_does_not_matter() -> None:
    states, other = fresh(), fresh()
    other["rng"] = 123
    assert FIXED[0].deal(states) == FIXED[0].deal(other)


def test_colors_are_equally_likely() -> None:
    states, first, blue = fresh(), Counter[int](), Counter[int]()
    for dealer in FIXED:
        deal = dealer.deal(states)
        first.update(color for color in range(5) for _ in range(deal.displays[0][color]))
        blue[min(max(total(deal)[0], 1), 8)] += 1
    chances = {k: comb(20, k) * comb(80, 20 - k) / comb(100, 20) for k in range(21)}
    joined = {k: chances[k] for k in range(2, 8)}
    joined |= {1: chances[0] + chances[1], 8: sum(chances[k] for k in range(8, 21))}
    assert surprise(first, dict.fromkeys(range(5), 0.2)) < 18.5  # four degrees of freedom, once in a thousand
    assert surprise(blue, joined) < 24.4  # seven degrees of freedom, once in a thousand


def test_d5_the_bag_is_dealt_out_before_the_lid_is_poured() -> None:
    game = waiting("B3W2")
    for dealer in FIXED[:200]:
        deal = dealer.deal(game.states)
        first = [color for color in range(5) for _ in range(deal.displays[0][color])]
        assert set(first) <= {0, 4}
        assert deal.displays[0][0] + deal.displays[1][0] >= 3
        assert deal.displays[0][4] + deal.displays[1][4] >= 2
        assert game.why_illegal(deal) is None


def test_d5_the_lid_stays_where_the_bag_is_just_enough() -> None:
    game = waiting("B8Y12")
    for dealer in FIXED[:20]:
        assert total(dealer.deal(game.states)) == (8, 12, 0, 0, 0)
    game.play(FIXED[0].deal(game.states))
    assert sum(game.view.bag) == 0
    assert sum(game.view.lid) == 80


def test_r41_displays_stay_empty_when_bag_and_lid_are() -> None:
    boards = " ".join([COLUMNS_BUT_THE_LAST] * 4)
    game = Game.from_position(f"std {'/'.join('-' * 9)} F {boards} B2 r1 6@1")
    deal = FIXED[0].deal(game.states)
    assert [sum(display) for display in deal.displays] == [4, 4, 4, 4, 4, 0, 0, 0, 0]
    assert total(deal) == (4, 4, 4, 4, 4)
    assert deal.displays[0][0] >= 2
    assert game.why_illegal(deal) is None


# --- records


def with_swapped_tiles(record: Record) -> Record:
    """The first deal with one tile of displays 1 and 2 exchanged: legal, but not what the secret gives."""
    first = record.entries[0]
    assert isinstance(first.play, Deal)
    one, two = (list(tiles) for tiles in first.play.displays[:2])
    a, b = next((a, b) for a in range(5) for b in range(5) if a != b and one[a] and two[b])
    one[a], one[b], two[a], two[b] = one[a] - 1, one[b] + 1, two[a] + 1, two[b] - 1
    swapped = Deal((tuple(one), tuple(two), *first.play.displays[2:]))
    return replace(record, entries=(replace(first, play=swapped), *record.entries[1:]))


def test_a_committed_game_is_right_in_every_deal() -> None:
    record = committed_record(FIXED[0])
    assert record.result is not None
    assert read_record(record.text()) == record


def test_a_secret_alone_is_checked_too() -> None:
    record = replace(committed_record(FIXED[0], 5), tags={"DealSecret": FIXED[0].secret})
    assert read_record(record.text()) == record
    with pytest.raises(InvalidNotation, match="does not follow from the secret"):
        read_record(replace(record, tags={"DealSecret": FIXED[1].secret}).text())


def test_a_deal_of_a_later_round_is_checked() -> None:
    game = Game(seed=1, starter=0).from_start()
    for _ in range(60):
        dealer = FIXED[0] if game.round < 3 else FIXED[1]
        game.play(dealer.deal(game.states) if game.phase == "r" else game.legal_moves[0])
    assert game.round >= 3
    with pytest.raises(InvalidNotation, match=r"^round 3: the deal '=.*' does not follow from the secret"):
        read_record(Record.of(game, DealSecret=FIXED[0].secret).text())


RIGHT = committed_record(FIXED[0], 1)
WRONG = {
    "a changed deal": (with_swapped_tiles(RIGHT), "does not follow from the secret"),
    "another secret": (
        replace(RIGHT, tags={**RIGHT.tags, "DealSecret": FIXED[1].secret}),
        "does not fit the commitment",
    ),
    "another commitment": (
        replace(RIGHT, tags={**RIGHT.tags, "DealCommitment": FIXED[1].commitment}),
        "does not fit the commitment",
    ),
    "a malformed secret": (replace(RIGHT, tags={**RIGHT.tags, "DealSecret": "abc"}), "cannot read 'abc' as a secret"),
}


def test_verify_accepts_a_committed_record(tmp_path: Path) -> None:
    file = tmp_path / "right.azul"
    file.write_text(committed_record(FIXED[0]).text(), encoding="utf-8")
    done = run("verify", file)
    assert done.returncode == 0
    assert "game 1: ok" in done.stdout
    assert "deals follow from the secret" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(("record", "message"), WRONG.values(), ids=WRONG)
def test_verify_refuses_a_record_that_was_bent(record: Record, message: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.azul"
    file.write_text(record.text(), encoding="utf-8")
    done = run("verify", file)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("game 1: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
