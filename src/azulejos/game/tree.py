"""A game as a tree that can be changed: moves, variations and what is written about them, from a record and back.

A `Record` is frozen data, and a variation in it stands behind the move that it would replace. Here every move is a
node, what may follow it are its `variations`, and the first of these goes on with the main line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from azulejos.game.dealer import Dealer
from azulejos.game.errors import InvalidNotation
from azulejos.game.game import Game
from azulejos.game.moves import Deal, Move
from azulejos.game.reading import DEEPEST_VARIATION
from azulejos.game.record import Entry, Record
from azulejos.game.replay import GAVE_UP, replay, start_of

PROOFS = ("DealCommitment", "DealSecret")
"""Tags that say where the deals come from, and so do not hold for others."""


class Node:
    """A move or deal in a tree, with what was written about it and all that may follow; the root has none.

    >>> tree = GameTree.of(Game(seed=1, starter=0))
    >>> first = tree.end.add("2K3")
    >>> other = first.parent.add("1B1", comment="or this")
    >>> [str(node) for node in first.parent.variations]
    ['2K3', '1B1']
    >>> other.promote()
    >>> str(tree.end), other.game.seat
    ('1B1', 1)
    """

    __slots__ = ("_game", "comments", "glyphs", "parent", "play", "variations")

    def __init__(self, parent: Node | None, play: Move | Deal | None, game: Game) -> None:
        """A node whose position is that of a game, which nobody may change; `Node.add` makes nodes with checks."""
        self.parent = parent
        """The node before it; None at the root."""
        self.play = play
        """What is played here; None at the root, and at the head of a round that a record begins in the middle of."""
        self.comments: list[str] = []
        """What is written behind it; at the root, what is written before the first round."""
        self.glyphs: list[int] = []
        """Numeric annotations such as 1 for a good move; the root has none."""
        self.variations: list[Node] = []
        """What may follow, the main line first."""
        self._game = game

    # ---- where it is ----

    @property
    def game(self) -> Game:
        """A copy of the game after this move, which waits for deals."""
        return self._game.copy()

    @property
    def root(self) -> Node:
        """Where the tree begins."""
        return next(iter(self.path()), self).parent or self

    @property
    def next(self) -> Node | None:
        """The node with which the main line goes on; None at its end."""
        return self.variations[0] if self.variations else None

    @property
    def end(self) -> Node:
        """The last node of the line that goes on from here."""
        return next(reversed([self, *self.main_line()]))

    def main_line(self) -> Iterator[Node]:
        """The nodes that follow this one, each the first of its variations."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def path(self) -> list[Node]:
        """The nodes that lead here from the root, which is not among them; this one is the last."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def walk(self) -> Iterator[Node]:
        """This node and all below it, each before what follows it, lines in their order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.variations))

    @property
    def is_main_line(self) -> bool:
        """Whether the main line of the tree leads here."""
        return all(node.parent is not None and node.parent.next is node for node in self.path())

    # ---- changing it ----

    def add(self, play: Move | Deal | str, *, comment: str = "", glyphs: Iterable[int] = ()) -> Node:
        """The node that follows by a move or deal: the one that is there, or a new last variation.

        What may not be played raises `IllegalMove`, and nothing is changed.
        """
        game = self._game.copy()
        played = game.play(play).move
        node = next((node for node in self.variations if node.play == played), None)
        if node is None:
            node = Node(self, played, game)
            self.variations.append(node)
        node.comments += [comment] if comment else []
        node.glyphs += glyphs
        return node

    def add_line(self, plays: Iterable[Move | Deal | str]) -> Node:
        """Add one play after the other; the last node. Where one may not be played, those before it stay."""
        node = self
        for play in plays:
            node = node.add(play)
        return node

    def promote(self) -> None:
        """Move this variation one place up among those of its parent."""
        self._move_to(max(0, self._place() - 1))

    def demote(self) -> None:
        """Move this variation one place down among those of its parent."""
        self._move_to(self._place() + 1)

    def promote_to_main(self) -> None:
        """Make the main line of the tree lead here."""
        for node in self.path():
            node._move_to(0)

    def remove(self) -> None:
        """Take this node and all that follows it out of the tree."""
        if self.play is None and self.parent:
            raise ValueError("the head of a round stays where it is")
        del self._siblings[self._place()]

    @property
    def _siblings(self) -> list[Node]:
        if self.parent is None:
            raise ValueError("the root of a tree is no variation")
        return self.parent.variations

    def _place(self) -> int:
        place = next((at for at, node in enumerate(self._siblings) if node is self), None)
        if place is None:
            raise ValueError(f"{str(self)!r} is no longer in the tree")
        return place

    def _move_to(self, place: int) -> None:
        siblings, own = self._siblings, self._place()
        if place != own and siblings[0].play is None:
            raise ValueError("the head of a round stays where it is")
        siblings.insert(place, siblings.pop(own))

    # ---- as it is written ----

    def __str__(self) -> str:
        return "start" if self.parent is None else "head" if self.play is None else str(self.play)

    def __repr__(self) -> str:
        return f"<Node {self}>"

    def _entry(self, variations: Iterable[tuple[Entry, ...]] = ()) -> Entry:
        assert self.parent is not None
        before = self.parent._game
        head = (before.round, before.starter) if not isinstance(self.play, Move) else None
        return Entry(self.play, head, tuple(self.glyphs), tuple(self.comments), tuple(variations))


class GameTree:
    """A game with its variations, and all that a record says besides: names, tags, the result.

    >>> tree = GameTree.of(Game(seed=1, starter=0), names=["Ana", "Ben"])
    >>> node = tree.end.add_line(["2K3", "1B1"])
    >>> node.comments.append("quick")
    >>> tree.record().text().splitlines()[-2]
    '  2K3 1B1 {quick}'
    """

    def __init__(self, record: Record) -> None:
        """The tree of a record, whose moves are all checked."""
        replay(record)
        self.names: list[str] = list(record.names)
        """Who has each seat."""
        self.event: str = record.event
        """The occasion."""
        self.date: str = record.date
        """Year, month and day, with `?` for what is not known."""
        self.tags: dict[str, str] = dict(record.tags)
        """All other tags."""
        self.root = Node(None, None, start_of(record))
        """The node before the first move and deal; its comments are those of the record."""
        self.root.comments += record.comments
        self._result = record.result
        _grow(self.root, record.entries)

    @classmethod
    def of(cls, game: Game, names: Iterable[str] = (), **tags: str) -> GameTree:
        """The tree of a game, with the players' names and tags such as `Event="Casual"`."""
        return cls(game.record(names, **tags))

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        return self.root.end

    def main_line(self) -> Iterator[Node]:
        """The moves and deals of the main line."""
        return self.root.main_line()

    def walk(self) -> Iterator[Node]:
        """All nodes but the root, each before what follows it, lines in their order."""
        nodes = self.root.walk()
        next(nodes)
        return nodes

    def record(self) -> Record:
        """The record of the tree; if its main line has changed, its result is that of the new one."""
        end = self.end.game
        if len(self.names) != end.players:
            raise ValueError(f"{len(self.names)} names for {end.players} players: {self.names!r}")
        result = self._result_at(end)
        return Record(
            wall=end.wall,
            names=tuple(self.names),
            entries=_entries(self.root, 0),
            result=result,
            event=self.event,
            date=self.date,
            comments=tuple(self.root.comments),
            tags=self._tags_at(end, result),
        )

    def _result_at(self, end: Game) -> tuple[int, ...] | None:
        """The scores at the end of the main line, if it ends there; by giving up only where that happened."""
        gave_up = self.tags.get("Termination") in GAVE_UP and self._result == end.scores
        return end.scores if end.is_over or gave_up else None

    def _tags_at(self, end: Game, result: tuple[int, ...] | None) -> dict[str, str]:
        """The tags that still hold of the main line."""
        tags, reason = dict(self.tags), end.outcome.reason if end.outcome else None
        if self._result is not None and result is None:
            tags.pop("Termination", None)
        elif reason and tags.get("Termination", reason) not in (*GAVE_UP, reason):  # another line has another end
            tags.pop("Termination")
            tags |= {} if reason == "row" else {"Termination": reason}
        if not _follow_from_secret(self.root, tags.get("DealSecret")):
            tags = {name: value for name, value in tags.items() if name not in PROOFS}
        return tags

    def __str__(self) -> str:
        """The text of the record."""
        return self.record().text()

    def __repr__(self) -> str:
        return f"<GameTree of {sum(1 for _ in self.walk())} nodes>"


def _grow(root: Node, entries: tuple[Entry, ...]) -> None:
    """The nodes of entries that are known to be right; what stands beside one is put beside its node."""
    waiting = [(root, entries)]
    while waiting:
        node, line = waiting.pop()
        for entry in line:
            game = node._game.copy()
            if entry.play is not None:
                game.play(entry.play)
            child = Node(node, entry.play, game)
            child.comments, child.glyphs = list(entry.comments), list(entry.glyphs)
            node.variations.append(child)
            waiting += [(node, variation) for variation in reversed(entry.variations)]
            node = child


def _follow_from_secret(root: Node, secret: str | None) -> bool:
    """Whether all deals of the main line follow from a dealer's secret; without one there is nothing to compare."""
    if secret is None:
        return True
    dealer = Dealer.from_text(secret)
    line = [root, *root.main_line()]
    return all(
        after.play == dealer.deal(before.game.states)
        for before, after in pairwise(line)
        if isinstance(after.play, Deal)
    )


def _entries(node: Node, depth: int) -> tuple[Entry, ...]:
    """What follows a node: its main line, and beside each move of it the lines that go another way."""
    if depth > DEEPEST_VARIATION:
        raise InvalidNotation(f"variations are nested deeper than {DEEPEST_VARIATION}")
    entries = []
    while node.variations:
        main, *others = node.variations
        entries.append(main._entry((other._entry(), *_entries(other, depth + 1)) for other in others))
        node = main
    return tuple(entries)
