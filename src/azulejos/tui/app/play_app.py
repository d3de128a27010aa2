"""A game on the screen: people here move by keys or mouse, everything else arrives by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from textual import events, on, work

from azulejos.game.happening import Bonus
from azulejos.game.moves import Move
from azulejos.locale import _
from azulejos.players.player import Choice
from azulejos.rules.state import COLOR_LETTERS
from azulejos.tui import words
from azulejos.tui.app.asking import question
from azulejos.tui.app.board_app import BoardApp, Key
from azulejos.tui.app.dialogs import Menu, Panel, play_help, result_lines
from azulejos.tui.board.pieces import Ghost, Row, headline
from azulejos.tui.board.scenes import Spot
from azulejos.tui.board.selection import Selection
from azulejos.tui.board.widgets import Drawn
from azulejos.tui.table.table import Action, AnyTable, Change, NotAllowed

NEXT = ("tab", "right")
"""Keys to the next place."""
BACK = ("shift+tab", "left")
"""Keys to the place before."""
SKIPPING = (" ", "enter", "escape")
"""Keys that end what is being shown."""
TICK_SECONDS = 0.2
"""How often clocks are looked at."""


class Shortcut(NamedTuple):
    """Something that a single key does."""

    key: str
    """The key as it is printed."""
    word: str
    """What stands beside it below the table."""
    sentence: str
    """What the help says about it."""
    do: Callable[[], object]
    """What happens when it is pressed."""


class PlayApp(BoardApp):
    """A game at a table, here or on a server."""

    TITLE = "Azulejos"
    """The title of the window."""

    def __init__(self, table: AnyTable, *, color: bool = True, speed: str = "normal") -> None:
        super().__init__(table.view, table.names, color=color, speed=speed)
        self.table = table
        """The table that is played at."""
        self.selection: Selection | None = None
        """The move in the making, if it is somebody's turn here."""
        self._bonuses: Sequence[Bonus] = ()
        self._told = ""
        self._was_told_result = False
        self._remarks: list[str] = []
        self._ahead: list[str] = []  # typed while something was still shown

    def on_mount(self) -> None:
        """Begin to follow the table."""
        super().on_mount()
        self.log_lines.append(words.round_starts(self.view.round, self.names[self.view.starter]))
        self._settle()
        self._follow()
        self.set_interval(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        """Clocks run, and reactions pass."""
        remarks = list(self.table.remarks)
        if remarks != self._remarks:
            self._remarks = remarks
            self.draw()

    # ---- the table ----

    @work(exclusive=True, group="follow")
    async def _follow(self) -> None:
        """Show everything that happens, one after another."""
        while True:
            try:
                change = await self.table.next()
            except NotAllowed as refusal:
                if str(refusal) != self.table.notice:  # which stands there already
                    self._say(str(refusal))
                return
            await self._take(change)

    async def _take(self, change: Change) -> None:
        if change.moves_something:
            self.selection, self._told = None, ""
        self.names = list(self.table.names)
        own = bool(change.happenings) and change.happenings[-1].seat in self.table.own_seats
        if not change.happenings and change.before != change.after:
            self.marks = frozenset()
            self._was_told_result = self._was_told_result and self.table.ending is not None
            self.arrange()  # after a rematch the seats have moved
        await self.show_change(change, at_once=own)
        for happening in change.happenings:
            self._bonuses = happening.bonuses
        self._settle()
        await self._press_ahead()

    async def _press_ahead(self) -> None:
        """What was typed while the last move was still shown counts, if it is one's turn now."""
        keys, self._ahead = self._ahead, []
        for key in keys:
            if self.selection:
                await self._other_key(key)

    def _settle(self) -> None:
        """Offer the decision that is due, or say whom we wait for."""
        turn = self.table.turn
        if turn is None:
            self.selection = None
        elif self.selection is None:
            self.selection = Selection(turn, self.view, self.table.why_not)
        self._draw_prompt()
        if self.table.ending and not self._was_told_result:
            self._was_told_result = True
            self._tell_result()

    def _say(self, told: str) -> None:
        """Something to be read before the next move."""
        self._told = told
        self._draw_prompt()

    def _draw_prompt(self) -> None:
        told = f"{self._told[:1].upper()}{self._told[1:]}"
        asked = question(self.table, self.selection, self.view, self.names)
        self.prompt_text = f"{told}\n{asked.partition(chr(10))[0]}" if told else asked
        self.draw()

    def _tell_result(self) -> None:
        ending = self.table.ending
        assert ending is not None
        lines = result_lines(ending, self.names, self._bonuses)
        lines += ["", _("N another game   S save   M moves   Q quit   Esc look at the boards")]
        panel = Panel(_("The game is over"), lines, "n s m q", color=self.color)
        self.push_screen(panel, lambda key: self._command(key) if key else None)

    # ---- drawing ----

    def seats_in_order(self) -> list[int]:
        """The first seat here first, the others as they sit."""
        first = min(self.table.own_seats, default=0)
        return [(first + seat) % self.view.players for seat in range(self.view.players)]

    def headline(self) -> Row:
        """The round and whose turn it is."""
        is_over = self.table.ending is not None and not self.is_showing
        return headline(self.view, self.names, is_over=is_over, is_scoring=self._is_scoring)

    def remarks(self) -> Sequence[str]:
        """Who is away, and the clocks."""
        return self.table.remarks

    def ghost(self) -> Ghost | None:
        """What the move at the cursor would do."""
        return self.selection.ghost if self.selection and not self.is_showing else None

    def open_cells(self) -> Sequence[Spot]:
        """The cells that a tile of the gray wall may go to."""
        return self.selection.spots() if self.selection and self.selection.is_tiling and not self.is_showing else ()

    def flags(self, spot: Spot | None) -> frozenset[str]:
        """What is chosen, what can be, and what happened last."""
        flags = set(super().flags(spot))
        chosen = self.selection
        if chosen is None or spot is None or self.is_showing:
            return frozenset(flags)
        if chosen.held and spot[0] == "line" and spot[1] == chosen.turn.seat:
            is_legal = chosen.move_to(int(spot[2])) in chosen.turn.options
            flags = {"lit"} if is_legal else {"dim"}
        if spot[0] == "take" and chosen.held == spot[1:]:
            flags.add("held")
        if spot[0] == "source" and spot[1] == chosen.source:
            flags.add("held")
        if spot == chosen.cursor:
            flags.add("cursor")
        return frozenset(flags)

    def commands(self) -> list[Shortcut]:
        """What single keys do, apart from those of a move; the most needed first."""
        table, last = self.table, self.last_words.rstrip(".")
        return [
            Shortcut(
                "N", _("another game"), _("another game"), lambda: self._ask(table.again) if table.ending else None
            ),
            Shortcut("U", _("undo"), _("undo"), lambda: self._ask(table.undo)),
            Shortcut("H", _("hint"), _("hint"), self._hint),
            Shortcut(
                "T",
                _("table"),
                _("let a computer play, resign"),
                lambda: self._offer(_("At this table"), table.actions),
            ),
            Shortcut("E", _("react"), _("send a reaction"), lambda: self._offer(_("Send a reaction"), table.reactions)),
            Shortcut("L", _("last move"), _("show the last move"), lambda: self._say(last or _("No move yet"))),
            Shortcut("M", _("moves"), _("all moves and scores"), self.show_moves),
            Shortcut("S", _("save"), _("save the record of the game"), self._save),
            Shortcut("?", _("help"), _("this help"), self._help),
            Shortcut("Q", _("quit"), _("quit"), self._leave),
        ]

    def _useful(self) -> list[Shortcut]:
        """The commands that lead somewhere now."""
        idle = {"U", "H"} if self.table.ending else {"N"}
        idle |= set() if self.table.actions else {"T"}
        idle |= set() if self.table.reactions else {"E"}
        return [command for command in self.commands() if command.key not in idle]

    def keys_now(self) -> list[Key]:
        """The keys below the table."""
        return [(command.key, command.word, command.key.lower()) for command in self._useful()]

    def _help(self) -> None:
        self.show_panel(_("Keys"), play_help([(command.key, command.sentence) for command in self._useful()]))

    # ---- keys and mouse ----

    async def on_key(self, event: events.Key) -> None:
        """Three keys make a move; the others move the cursor or do something."""
        if self.is_for_dialog(event):
            return
        event.prevent_default()
        key = (event.character or "").lower() if event.is_printable else event.key
        if self.is_showing and (key in SKIPPING or is_move_key(key)):
            self.skip()
            self._ahead += [key] if is_move_key(key) else []
        elif not self._cursor_key(event.key):
            await self._other_key(key)

    def _cursor_key(self, key: str) -> bool:
        """Move the cursor; whether the key was for that."""
        if key not in (*NEXT, *BACK, "up", "down"):
            return False
        if self.selection:
            self._told = ""
            by = 1 if key in (*NEXT, "down") else -1
            if key in ("up", "down"):
                self.selection.jump(by)
            else:
                self.selection.step(by)
            self._draw_prompt()
        return True

    async def _other_key(self, key: str) -> None:
        if key == "escape" and self.selection:
            self.selection.put_back()
            self._say("")
        elif key in ("enter", " ") and self.selection:
            await self._choose(self.selection.confirm)
        elif is_move_key(key):
            selection = self.selection
            if selection:
                await self._choose(lambda: selection.press(key))
        else:
            self._command(key)

    async def _choose(self, choose: Callable[[], Move | None]) -> None:
        """Choose something, and play the move if that completes it."""
        try:
            move = choose()
            self._say("")
            if move:
                selection, self.selection = self.selection, None
                try:
                    await self.table.play(move)
                except NotAllowed:
                    self.selection = selection
                    raise
        except NotAllowed as refusal:
            self._say(str(refusal))

    @on(Drawn.Clicked)
    async def _clicked(self, message: Drawn.Clicked) -> None:
        spot = message.spot
        if self.is_showing:
            self.skip()
        elif spot and spot[0] == "key":
            self._command(str(spot[1]))
        elif spot and self.selection:
            selection = self.selection
            await self._choose(lambda: selection.choose(spot))

    @on(Drawn.Pointed)
    def _pointed(self, message: Drawn.Pointed) -> None:
        if self.selection and not self.is_showing and self.selection.point_at(message.spot):
            self._draw_prompt()

    def _command(self, key: str) -> None:
        """Do what a single key is for."""
        for command in self.commands():
            if command.key.lower() == key:
                command.do()

    def _leave(self) -> None:
        """Leave at once where one can come back, else after a question."""
        if not self.table.forgets:
            self.exit()
            return
        told = [_("This game cannot be continued later; its record is printed.")]
        menu = Menu(_("Leave the game?"), told, [_("Play on"), _("Leave")], confirms="q", color=self.color)
        self.push_screen(menu, lambda answer: self.exit() if answer == 1 else None)

    def _offer(self, title: str, actions: Sequence[Action]) -> None:
        """Let a person choose something to do."""
        if actions:
            menu = Menu(title, [], [action.words for action in actions], color=self.color)
            self.push_screen(menu, lambda answer: None if answer is None else self._do(actions[answer]))

    def _do(self, action: Action) -> None:
        """Do something, after its question if it has one."""
        if not action.question:
            self._ask(action.do)
            return
        menu = Menu(action.question, [action.consequence], [action.refusal, action.words], color=self.color)

        def answered(answer: int | None) -> None:
            if answer == 1:
                self._ask(action.do)

        self.push_screen(menu, answered)

    @work(group="ask")
    async def _ask(self, question: Callable[[], Awaitable[object]]) -> None:
        """Ask the table for something; what comes of it arrives as a change."""
        try:
            await question()
        except NotAllowed as refusal:
            self._say(str(refusal))

    @work(exclusive=True, group="hint")
    async def _hint(self) -> None:
        """Ask for the best move; the screen goes on meanwhile."""
        selection = self.selection
        self._say(_("Thinking about a hint ..."))
        try:
            best = await self.table.hint()
        except NotAllowed as refusal:
            self._say(str(refusal))
            return
        if self.selection is selection and selection is not None:
            self._show_hint(selection, best)

    def _show_hint(self, selection: Selection, best: Choice) -> None:
        """Hold the tiles of the best move and point at its line."""
        move = best.move
        selection.put_back()
        selection.put_back()
        if move.is_tiling:
            selection.cursor = ("cell", selection.turn.seat, move.row, move.column)
        else:
            selection.source, selection.color = move.source, move.color
            selection.cursor = ("line", selection.turn.seat, move.line)
        self._say(words.hint(best, selection.turn.seat))

    @work(group="save")
    async def _save(self) -> None:
        """Write the record into a new file in the current folder."""
        try:
            text = await self.table.record()
            path = _new_path()
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except (NotAllowed, OSError) as fault:
            self._say(_("cannot save: {fault}").format(fault=fault))
        else:
            self._say(_("saved as {path}").format(path=path))


def is_move_key(key: str) -> bool:
    """Whether this is one of the three keys of a move."""
    return len(key) == 1 and (key in "0123456789f" or key.upper() in COLOR_LETTERS)


def _new_path() -> Path:
    """A name for a record that no file has yet."""
    stem = datetime.now().strftime("azulejos-%Y%m%d-%H%M%S")
    paths = (Path(f"{stem}{f'-{number}' if number else ''}.azul") for number in count())
    return next(path for path in paths if not path.exists())
