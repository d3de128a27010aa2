"""A game as a tree: going through it, changing it, and what its record says then."""

from __future__ import annotations

import pytest

from azulejos import Dealer, Game, GameTree, IllegalMove, InvalidNotation, Move, read_record
from azulejos.game.reading import DEEPEST_VARIATION
from azulejos.game.replay import replay
from azulejos.game.tree import Node
from azulejos.players import greedy

TEXT = """[Event "Study"]
[Date "2026.11.15"]
[Wall "std"]
[Players "2"]
[Player1 "Ana"]
[Player2 "Ben"]
[Result "*"]
[Rules "1"]
[Site "Porto"]

{before all}
R1@1 =BYKW/YRK2/Y2RK/BRKW/YR2W {dealt}
  1B1 $1 {a} {b} 2Y1 ( 2K2 {or} 3Y3 ( 3Rf ) ( 3K3 ) cW1 ) ( 2R2 ) 3Y2
*
"""


@pytest.fixture
def tree() -> GameTree:
    return GameTree(read_record(TEXT))


def moves(nodes: list[Node]) -> str:
    return " ".join(map(str, nodes))


def greedy_game(max_rounds: int | None = None) -> Game:
    game = Game(seed=1, starter=0, max_rounds=max_rounds)
    while not game.is_over:
        game.play(greedy.choose(game))
    return game


# --- going through it


def test_nodes_know_where_they_are(tree: GameTree) -> None:
    deal, first, second, third = tree.main_line()
    assert moves([first, second, third]) == "1B1 2Y1 3Y2"
    assert (first.parent, deal.parent, tree.root.parent) == (deal, tree.root, None)
    assert tree.root.next is deal
    assert third.next is None
    assert tree.end is third
    assert first.end is third
    assert first.root is tree.root is tree.root.root
    assert moves(first.variations) == "2Y1 2K2 2R2"
    other = first.variations[1]
    assert moves(other.path()[1:]) == "1B1 2K2"
    assert moves([*other.main_line()]) == "3Y3 cW1"
    assert moves(other.variations) == "3Y3 3Rf 3K3"
    assert (third.is_main_line, other.is_main_line, other.end.is_main_line) == (True, False, False)
    assert moves([*tree.walk()][1:]) == "1B1 2Y1 3Y2 2K2 3Y3 cW1 3Rf 3K3 2R2"


def test_nodes_know_what_was_written_and_the_game(tree: GameTree) -> None:
    deal, first, *_ = tree.main_line()
    assert tree.root.comments == ["before all"]
    assert deal.comments == ["dealt"]
    assert (first.comments, first.glyphs) == (["a", "b"], [1])
    game = Game(seed=1, starter=0)
    game.play("1B1")
    assert first.game.position == game.position
    first.game.play("2Y1")  # of a copy
    assert first.game == first.game
    assert first.game.position == game.position
    assert tree.end.game.position == replay(read_record(TEXT)).position
    assert (tree.names, tree.event, tree.date, tree.tags) == (["Ana", "Ben"], "Study", "2026.11.15", {"Site": "Porto"})


def test_it_is_written_as_it_was_read(tree: GameTree) -> None:
    assert tree.record() == read_record(TEXT)
    assert str(tree) == TEXT
    assert repr(tree) == "<GameTree of 10 nodes>"
    assert repr(tree.end) == "<Node 3Y2>"


def test_alternatives_of_an_alternative_stand_beside_it() -> None:
    nested = TEXT.replace("( 2R2 )", "").replace("( 2K2 {or}", "( 2K2 {or} ( 2R2 )")
    assert str(GameTree(read_record(nested))).split() == TEXT.split()


def test_a_record_that_is_wrong_has_no_tree() -> None:
    record = read_record(TEXT)
    wrong = type(record)("gray", record.names, record.entries[1:])
    with pytest.raises(IllegalMove):
        GameTree(wrong)


# --- changing it


def test_what_is_added_is_checked_and_stands_last(tree: GameTree) -> None:
    end = tree.end
    node = end.add("cW2", comment="takes the marker", glyphs=[3])
    assert (node.parent, node.comments, node.glyphs) == (end, ["takes the marker"], [3])
    assert tree.end is node
    before = str(tree)
    with pytest.raises(IllegalMove) as refused:
        node.add("2B1")
    assert refused.value.code == "color_not_there"
    with pytest.raises(InvalidNotation):
        node.add("zz")
    with pytest.raises(TypeError):
        node.add(3)  # type: ignore[arg-type]
    assert str(tree) == before
    assert " 3Y2 cW2 $3 {takes the marker}\n" in before


def test_what_is_there_is_found_and_not_added_again(tree: GameTree) -> None:
    first = tree.root.variations[0].variations[0]
    other = first.add(Move.parse("2K2"), comment="again")
    assert other is first.variations[1]
    assert other.comments == ["or", "again"]
    assert len(first.variations) == 3


def test_lines_are_added_to_the_first_that_may_not_be_played(tree: GameTree) -> None:
    last = tree.end.add_line(["cW2", "5R3"])
    assert str(last) == "5R3"
    with pytest.raises(IllegalMove):
        last.add_line(["4B3", "4B3"])
    assert str(tree.end) == "4B3"


def test_variations_change_places(tree: GameTree) -> None:
    first = tree.root.variations[0].variations[0]
    _, second, third = first.variations
    third.promote()
    assert moves(first.variations) == "2Y1 2R2 2K2"
    third.promote()
    third.promote()
    assert moves(first.variations) == "2R2 2Y1 2K2"
    assert str(tree.end) == "2R2"
    third.demote()
    third.demote()
    third.demote()
    assert moves(first.variations) == "2Y1 2K2 2R2"
    inner = second.variations[2]
    inner.promote_to_main()
    assert inner.is_main_line
    assert moves([*tree.main_line()][1:]) == "1B1 2K2 3K3"
    assert "2K2 {or} ( 2Y1 3Y2 ) ( 2R2 ) 3K3 ( 3Y3 cW1 ) ( 3Rf )" in " ".join(str(tree).split())


def test_what_is_removed_is_gone_with_what_follows(tree: GameTree) -> None:
    first = tree.root.variations[0].variations[0]
    second = first.variations[1]
    second.remove()
    assert moves([*tree.walk()][1:]) == "1B1 2Y1 3Y2 2R2"
    for change in (second.remove, second.promote, second.demote):
        with pytest.raises(ValueError, match="'2K2' is no longer in the tree"):
            change()
    for change in (tree.root.remove, tree.root.promote, tree.root.demote):
        with pytest.raises(ValueError, match="the root of a tree is no variation"):
            change()
    tree.root.promote_to_main()  # it is where every line begins


def test_the_head_of_a_round_that_a_record_begins_in_stays(tree: GameTree) -> None:
    position = tree.end.game.position
    later = GameTree.of(Game.from_position(position))
    head = later.end
    assert (str(head), head.play, later.root.next) == ("head", None, head)
    node = head.add("cW2")
    assert read_record(str(later)) == later.record()
    head.comments.append("here it begins")
    beside = later.root.add("5R3")
    assert read_record(str(later)) == later.record()
    for change in (head.remove, head.demote, beside.promote, beside.promote_to_main):
        with pytest.raises(ValueError, match="the head of a round stays"):
            change()
    node.remove()
    assert read_record(str(later)) == later.record()


def test_names_comments_and_depth_are_checked_when_it_is_written(tree: GameTree) -> None:
    tree.end.comments.append("no { braces }")
    with pytest.raises(InvalidNotation, match="as a comment"):
        tree.record()
    tree.end.comments.clear()
    tree.names.append("Eva")
    with pytest.raises(ValueError, match="3 names for 2 players"):
        tree.record()


def test_variations_nested_too_deeply_are_not_written() -> None:
    tree = GameTree.of(Game(seed=1, starter=0))
    node, nested = tree.end, 0
    while nested < DEEPEST_VARIATION:  # each decision leaves the line once more
        game = node.game
        if game.phase == "r":
            node = node.add(Dealer(bytes(32)).deal(game.states))
            continue
        first, *_, last = game.legal_moves[0], *game.legal_moves
        node.add(last)
        if first != last:
            node, nested = node.add(first), nested + 1
        else:
            node = node.variations[0]
    assert read_record(str(tree)) == tree.record()
    node.add(node.game.legal_moves[0])
    node.add(node.game.legal_moves[-1])
    with pytest.raises(InvalidNotation, match="nested deeper than 32"):
        tree.record()


# --- the result


def test_the_result_is_that_of_the_main_line() -> None:
    game = greedy_game()
    tree = GameTree.of(game)
    assert tree.record().result == game.scores
    end = tree.end
    node = end.parent
    assert node is not None
    other = next(move for move in node.game.legal_moves if move != end.play)
    node.add(other).promote()
    assert tree.record().result == (tree.end.game.scores if tree.end.game.is_over else None)
    assert read_record(str(tree)) == tree.record()
    tree.end.remove()
    tree.end.remove()
    assert tree.record().result is None
    assert read_record(str(tree)) == tree.record()


def test_giving_up_holds_only_where_it_happened() -> None:
    text = TEXT.replace('"*"', '"0-0"').replace("\n*", "\n0-0").replace("[Site", '[Termination "resigned"]\n[Site')
    record = read_record(text.replace('[Site "Porto"]\n[', "["))
    tree = GameTree(record)
    assert tree.record() == record
    game = tree.end.game
    while game.phase != "r":
        game.play(game.legal_moves[0])
        tree.end.add(game.history[-1])
    changed = tree.record()
    assert game.scores != (0, 0)
    assert (changed.result, "Termination" in changed.tags) == (None, False)
    assert read_record(str(tree)) == changed


def test_a_limit_of_rounds_and_another_end() -> None:
    tree = GameTree.of(greedy_game(max_rounds=2))
    assert tree.record().tags["Termination"] == "round_limit"
    assert read_record(str(tree)) == tree.record()
    tree.end.remove()
    assert "Termination" not in tree.record().tags
    assert read_record(str(tree)) == tree.record()


def test_deals_that_were_changed_are_no_longer_proved() -> None:
    dealer = Dealer(bytes(32))
    game = Game(starter=0, dealer=dealer)
    tree = GameTree.of(game, DealCommitment=dealer.commitment, DealSecret=dealer.secret)
    assert "DealSecret" in tree.record().tags
    tree.root.add(Dealer(bytes([1] * 32)).deal(tree.root.game.states)).promote()
    assert not tree.record().tags.keys() & {"DealSecret", "DealCommitment"}
    assert read_record(str(tree)) == tree.record()
