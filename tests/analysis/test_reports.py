"""What is made of a review: records, pages, plain data, sums that add up as printed, and what somebody played like."""

from __future__ import annotations

import json
import random
import re
import statistics
import xml.etree.ElementTree as Xml
from dataclasses import replace
from importlib import resources

import pytest

from azulejos import read_record
from azulejos.analysis import likeness
from azulejos.analysis.analyst import DEFAULT_NODES
from azulejos.analysis.annotate import annotate
from azulejos.analysis.html import page
from azulejos.analysis.marks import GLYPHS, MARKS
from azulejos.analysis.plain import as_json
from azulejos.analysis.receipt import PARTS
from azulejos.analysis.review import Amount, review
from azulejos.analysis.rounding import rounded
from azulejos.analysis.totals import add_up
from azulejos.net.choice import WEIGHTS, fingerprint
from azulejos.players.levels import FULL_STRENGTH, OPPONENTS, RATED_TABLE
from azulejos.tui.review_words import texts
from tests.analysis.games import NODES, greedy_game, short_review


def test_rounded_parts_add_up_and_are_off_by_less_than_a_unit() -> None:
    numbers = random.Random(1)
    for _ in range(200):
        parts = [numbers.uniform(-20, 20) for _ in range(5)]
        *shown, total = rounded([*parts, sum(parts)], 0.1)
        assert sum(shown) == pytest.approx(total) == pytest.approx(round(sum(parts), 1))
        assert all(abs(one - other) < 0.1 + 1e-9 for one, other in zip(parts, shown, strict=True))


def test_an_annotated_record_can_be_read_and_has_marks_values_and_better_lines() -> None:
    record, found = short_review()
    annotated = read_record(annotate(record, found).text())
    assert [entry.play for entry in annotated.entries] == [entry.play for entry in record.entries]
    for each in found.decisions:
        entry = annotated.entries[each.ply]
        assert entry.glyphs == ((GLYPHS[MARKS.index(each.mark)],) if each.mark else ())
        assert re.match(r"\[%eval [+-]\d+\.\d\] \[%win \d+\.\d \d+\.\d\]$", entry.comments[-1])
        if each.mark:
            (variation,) = entry.variations
            assert variation[0].play == each.best.move
    assert annotated.entries[0].comments[-1].startswith("[%luck ")
    assert any(each.mark for each in found.decisions)


def test_annotating_keeps_what_was_written() -> None:
    record, found = short_review()
    entry = replace(record.entries[1], comments=("why not",), glyphs=(7, 4))
    noted = replace(record, entries=(record.entries[0], entry, *record.entries[2:]))
    once = annotate(noted, found).entries[1]
    assert once.comments[0] == "why not"
    assert once.glyphs[0] == 7
    assert once.glyphs.count(4) == (found.decisions[0].mark == "blunder")


def test_the_page_is_one_file_without_scripts_that_says_everything_in_tables() -> None:
    record, found = short_review()
    written = page(found, texts(record, found))
    assert "Ben &lt;&amp;&gt;" in written
    assert "Ben <" not in written
    assert "<script" not in written
    assert "http" not in written
    assert "prefers-color-scheme:dark" in written
    body = written.partition("<body>")[2].partition("</body>")[0]
    tree = Xml.fromstring(body)
    assert len(tree.findall(".//svg[@role='img']")) == 3
    assert all(picture.get("aria-label") for picture in tree.findall(".//svg[@role='img']"))
    receipts, chances, marks, decisions, deals = tree.findall(".//table")
    assert len(decisions.findall("tbody/tr")) == len(found.decisions)
    assert len(deals.findall("tbody/tr")) == len(found.deals)
    assert len(marks.findall("tbody/tr")) == 2
    for table in (receipts, chances):
        columns = list(zip(*([cell.text or "" for cell in row] for row in table.findall("tbody/tr")), strict=True))[1:]
        for column in columns:
            *parts, result = (float(cell.removesuffix(" %")) for cell in column)
            assert sum(parts) == pytest.approx(result)


def test_plain_data_has_the_named_fields_and_adds_up() -> None:
    record, found = short_review()
    data = json.loads(json.dumps(as_json(found, record.names)))
    assert [seat["name"] for seat in data["seats"]] == list(record.names)
    for seat in data["seats"]:
        for what in ("margin", "win"):
            *parts, result = (seat[part][what] for part in PARTS)
            assert sum(parts) == pytest.approx(result, abs=1e-6)
    assert {"round", "luck"} <= data["deals"][0].keys()
    assert [set(luck) for luck in data["deals"][0]["luck"]] == [{"margin", "win"}] * 2
    for each in data["decisions"]:
        assert each.keys() >= {"ply", "seat", "played", "best", "loss", "exact", "forced", "mark"}
        assert each["lines"][0]["moves"][0] == each["best"]
        assert str(record.entries[each["ply"]].play) == each["played"]
    assert (data["finished"], data["fault"]) == (False, None)


def test_losses_were_measured_of_everybody_and_fall_from_level_to_level() -> None:
    made = json.loads(resources.files("azulejos.analysis").joinpath(likeness.LOSSES).read_text("utf-8"))
    again = "run `python benchmarks/review_checks.py losses.jsonl --parts quick levels --write losses`"
    assert (made["nodes"], made["network"]) == (DEFAULT_NODES, fingerprint(WEIGHTS[RATED_TABLE])), again
    table = likeness.measured()
    assert [row.number for row in table] == [opponent.number for opponent in OPPONENTS]
    means = [row.mean for row in table]
    assert means == sorted(means, reverse=True)
    assert all(row.games > 1 and row.error > 0 for row in table)


def test_who_loses_nothing_played_like_full_strength_and_who_loses_much_like_a_beginner() -> None:
    perfect = likeness.of_losses([Amount(0.0, 0.0)] * 20)
    awful = likeness.of_losses([Amount(0.3, 20.0), Amount(0.3, 21.0)] * 10)
    assert perfect is not None
    assert awful is not None
    assert (perfect.lowest, perfect.highest) == (FULL_STRENGTH.number, FULL_STRENGTH.number)
    assert (awful.lowest, awful.highest) == (1, 1)
    assert likeness.of_losses([Amount(0.0, 0.0)]) is None


def test_few_moves_say_less_than_many() -> None:
    middle = likeness.measured()[3].mean
    losses = [Amount(0.0, middle / 2), Amount(0.0, middle * 1.5)]
    few, many = likeness.of_losses(losses * 3), likeness.of_losses(losses * 500)
    assert few is not None
    assert many is not None
    assert few.loss.margin == pytest.approx(middle)
    assert few.error.margin == pytest.approx(statistics.stdev([middle / 2, middle * 1.5] * 3) / 6**0.5)
    assert few.lowest <= many.lowest
    assert few.highest >= many.highest
    assert few.error.margin > many.error.margin


def test_totals_are_by_name_with_errors_of_their_means() -> None:
    record, found = short_review()
    ana, ben = add_up([(record.names, found), (("Ana", "Ana"), found)])
    assert (ana.name, len(ana.receipts), len(ben.receipts)) == ("Ana", 3, 1)
    assert ana.sum("luck").margin == pytest.approx(
        2 * found.receipts[0]["luck"].margin + found.receipts[1]["luck"].margin
    )
    assert ana.mean("own").win == pytest.approx(ana.sum("own").win / 3)
    assert (ben.error("luck"), ana.error("luck") is None) == (None, False)


@pytest.mark.parametrize(("options", "named"), [({"nodes": 63}, "nodes"), ({"workers": 0}, "workers")])
def test_impossible_settings_are_named(options: dict[str, int], named: str) -> None:
    with pytest.raises(ValueError, match=f"{named} must be a whole number from .* not"):
        review(greedy_game(moves=1).record(), **options)  # type: ignore[arg-type]


def test_variations_of_a_record_are_no_part_of_its_game() -> None:
    record = greedy_game(moves=2).record()
    odd = replace(record.entries[1], variations=((record.entries[1], record.entries[1]),))
    found = review(replace(record, entries=(record.entries[0], odd, *record.entries[2:])), nodes=NODES)
    assert found.fault is None
    assert len(found.decisions) == 2
