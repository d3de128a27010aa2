"""The rules a second time, slowly and in the words of the rules, to check the compiled ones against.

Tiles are letters, a floor is a list of what lies on it, nothing is cached and nothing is clever. Deals are left out:
a round ends with a deal due.
"""

from __future__ import annotations

import copy

from azulejos.game.view import Board, Counts, Line, Phase, View

COLORS = "BYRKW"
COLORED_WALL = ("BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB")
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)
MARKER = "M"


def _tiles(counts: Counts) -> list[str]:
    return [color for color, count in zip(COLORS, counts, strict=True) for _ in range(count)]


def _counts(tiles: list[str]) -> Counts:
    return tuple(tiles.count(color) for color in COLORS)


def _letter(color: int | None) -> str:
    return "." if color is None else COLORS[color]


class Player:
    """One board."""

    def __init__(self, board: Board) -> None:
        self.score = board.score
        self.lines = [[_letter(line.color)] * line.count for line in board.lines]
        self.wall = [[_letter(cell) for cell in row] for row in board.wall]
        self.floor = _tiles(board.floor)
        self.has_marker = board.marker
        if board.marker and len(self.floor) < 7:
            self.floor.append(MARKER)

    def view(self) -> Board:
        return Board(
            score=self.score,
            lines=tuple(Line(COLORS.index(line[0]) if line else None, len(line)) for line in self.lines),
            wall=tuple(tuple(None if cell == "." else COLORS.index(cell) for cell in row) for row in self.wall),
            floor=_counts(self.floor),
            marker=self.has_marker,
        )

    def accepts(self, row: int, color: str) -> bool:
        """R15-R17, D2."""
        line = self.lines[row]
        return len(line) < row + 1 and all(tile == color for tile in line) and color not in self.wall[row]

    def columns(self, row: int, gray: bool) -> list[int]:
        """R26, G5: where the tile of a complete line may go."""
        color = self.lines[row][0]
        if not gray:
            return [COLORED_WALL[row].index(color)]
        return self.free_columns(row, color)

    def free_columns(self, row: int, color: str) -> list[int]:
        """G5."""
        return [
            column
            for column in range(5)
            if self.wall[row][column] == "." and color not in [self.wall[other][column] for other in range(5)]
        ]

    def put(self, row: int, column: int) -> list[str]:
        """R25-R34: the tile goes to the wall and scores; returns the tiles for the lid."""
        self.wall[row][column], *rest = self.lines[row]
        self.lines[row] = []
        across = self.run(row, column, 0, 1)
        down = self.run(row, column, 1, 0)
        self.score += (across if across > 1 else 0) + (down if down > 1 else 0) or 1
        return rest

    def run(self, row: int, column: int, down: int, right: int) -> int:
        """The length of the unbroken run through a cell."""
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < 5 and 0 <= c < 5 and self.wall[r][c] != ".":
                length += 1
                r, c = r + sign * down, c + sign * right
        return length

    def full_rows(self) -> int:
        return sum("." not in row for row in self.wall)

    def bonus(self) -> int:
        """R42."""
        columns = sum("." not in column for column in zip(*self.wall, strict=True))
        colors = sum(sum(row.count(color) for row in self.wall) == 5 for color in COLORS)
        return 2 * self.full_rows() + 7 * columns + 10 * colors


class Reference:
    """A game without deals."""

    def __init__(self, view: View, max_rounds: int | None = None) -> None:
        self.gray = view.wall == "gray"
        self.sources = [_tiles(view.center), *map(_tiles, view.displays)]
        self.marker_in_center = view.marker
        self.seats = [Player(board) for board in view.boards]
        self.bag = _tiles(view.bag)
        self.lid = _tiles(view.lid)
        self.phase: Phase = view.phase
        self.seat = view.seat
        self.round = view.round
        self.starter = view.starter
        self.max_rounds = max_rounds

    def copy(self) -> Reference:
        return copy.deepcopy(self)

    def view(self) -> View:
        return View(
            wall="gray" if self.gray else "std",
            displays=tuple(map(_counts, self.sources[1:])),
            center=_counts(self.sources[0]),
            marker=self.marker_in_center,
            boards=tuple(seat.view() for seat in self.seats),
            bag=_counts(self.bag),
            phase=self.phase,
            seat=self.seat,
            round=self.round,
            starter=self.starter,
        )

    def legal(self) -> set[str]:
        """R8-R19: every move that may be played, as it is written."""
        if self.phase not in (Phase.DRAFTING, Phase.TILING) or self.seat is None:
            return set()
        player = self.seats[self.seat]
        if self.phase is Phase.TILING:
            row = next(row for row in range(5) if len(player.lines[row]) == row + 1)
            return {f"t{row + 1}{column + 1}" for column in player.columns(row, self.gray)}
        moves = set()
        for source, tiles in enumerate(self.sources):
            for color in set(tiles):
                pick = ("c" if source == 0 else str(source)) + color
                moves.add(pick + "f")
                moves |= {pick + str(row + 1) for row in range(5) if player.accepts(row, color)}
        return moves

    def play(self, move: str) -> None:
        """One legal move and all that follows from it."""
        assert self.seat is not None
        player = self.seats[self.seat]
        if self.phase is Phase.TILING:
            self.lid += player.put(int(move[1]) - 1, int(move[2]) - 1)
            self.tile_from(self.seat)
            return
        self.draft(player, 0 if move[0] == "c" else int(move[0]), move[1], move[2])
        self.seat = (self.seat + 1) % len(self.seats)
        if not any(self.sources):
            self.tile_from(0)

    def draft(self, player: Player, source: int, color: str, line: str) -> None:
        """R9-R21."""
        taken = [tile for tile in self.sources[source] if tile == color]
        rest = [tile for tile in self.sources[source] if tile != color]
        self.sources[source] = []
        self.sources[0] += rest
        if source == 0 and self.marker_in_center:
            self.marker_in_center = False
            player.has_marker = True
            if len(player.floor) < 7:
                player.floor.append(MARKER)
        if line != "f":
            row = int(line) - 1
            while taken and len(player.lines[row]) < row + 1:
                player.lines[row].append(taken.pop())
        self.drop(player, taken)

    def drop(self, player: Player, tiles: list[str]) -> None:
        """R20, R21."""
        for tile in tiles:
            (player.floor if len(player.floor) < 7 else self.lid).append(tile)

    def tile_from(self, first: int) -> None:
        """R24-R28, G6, D7, D14: tile this seat and all after it, up to the first choice."""
        self.phase = Phase.TILING
        for seat in range(first, len(self.seats)):
            player = self.seats[seat]
            for row in range(5):
                if len(player.lines[row]) < row + 1:
                    continue
                columns = player.columns(row, self.gray)
                if len(columns) > 1:
                    self.seat = seat
                    return
                if columns:
                    self.lid += player.put(row, columns[0])
                else:
                    fallen, player.lines[row] = player.lines[row], []
                    self.drop(player, fallen)
        self.end_round()

    def end_round(self) -> None:
        """R35-R39, D4, D6, D9, D11."""
        next_starter = self.starter
        for seat, player in enumerate(self.seats):
            player.score = max(0, player.score - sum(FLOOR_COSTS[: len(player.floor)]))
            self.lid += [tile for tile in player.floor if tile != MARKER]
            player.floor = []
            if player.has_marker:
                next_starter = seat
            player.has_marker = False
        self.marker_in_center = True
        row_complete = any(player.full_rows() for player in self.seats)
        if row_complete or self.stalled() or self.round == self.max_rounds:
            for player in self.seats:
                player.score += player.bonus()
            self.phase, self.seat = Phase.OVER, None
        else:
            self.phase, self.seat, self.starter = Phase.DEAL_DUE, next_starter, next_starter
            self.round += 1

    def stalled(self) -> bool:
        """D9."""
        coming = set(self.bag) | set(self.lid)
        for player in self.seats:
            for row in range(5):
                waits_in_vain = bool(player.lines[row]) and player.lines[row][0] not in coming
                fits = [color for color in coming if color not in player.wall[row] and player.free_columns(row, color)]
                if not self.gray:
                    fits = [color for color in coming if color not in player.wall[row]]
                if fits and not waits_in_vain:
                    return False
        return True


def perft(game: Reference, depth: int) -> int:
    """Leaves after so many moves; a position without a legal move is a leaf."""
    moves = game.legal()
    if depth == 0 or not moves:
        return 1
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total
