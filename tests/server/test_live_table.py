"""Live tables: one thing after the other, saved before told, computers, clocks, presence, resuming."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from azulejos import read_record
from azulejos.game.replay import replay
from azulejos.server.live.audience import RESUMABLE
from azulejos.server.live.client import MOST_UNSENT, Client
from azulejos.server.live.turns import MOST_WAITING
from azulejos.server.protocol import incoming
from azulejos.server.storage.store import Conflict
from azulejos.server.tables.refusal import Refuse
from azulejos.server.tables.setup import Clock, NewSeat
from tests.server.standins import Chosen, Guest, Quick, lobby_on, moves_of, new_table, runs, seated


@runs
async def test_a_game_against_computers_to_the_end(tmp_path: Path) -> None:
    choice = random.Random(2)
    async with lobby_on(tmp_path / "t.db") as lobby:
        for wall in ("std", "gray"):
            secrets, queue = await seated(lobby, "here", "computer", "computer", wall=wall)
            guest = await Guest.at(queue, *secrets)
            message = guest.seen[-1]
            while not message["table"].get("result"):
                if 0 in message["waiting"] and not guest.client.unsent.qsize():
                    choosing = message["you"].get("choosing")
                    options = choosing[0]["options"] if choosing else message["position"]["options"]
                    answer = await guest.play(0, choice.choice(options)["move"], message["version"])
                    assert answer["type"] == "accepted"
                    message = next(seen for seen in reversed(guest.seen) if seen["type"] == "event")
                else:
                    message = await guest.until("event")
            versions = [seen["version"] for seen in guest.seen if seen["type"] == "event"]
            assert versions == list(range(1, len(versions) + 1))
            assert replay(read_record(queue.table.record().text())).scores == tuple(
                message["table"]["result"]["scores"]
            )
            again = await lobby._store.load(queue.table.id)
            assert again is not None
            assert len(again.events) == len(versions) + 1


@runs
async def test_what_cannot_be_saved_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest, watcher = await Guest.at(queue, *secrets), await Guest.at(queue)
        before = queue.table.game.public.position

        async def fails(*_args: Any) -> None:
            raise Refuse("storage_failed")

        with monkeypatch.context() as patch:
            patch.setattr(lobby._store, "append", fails)
            answer = await guest.play(0, "1B1" if "1B1" in moves_of(queue) else moves_of(queue)[0])
            assert (answer["type"], answer["code"], answer["version"]) == ("refused", "storage_failed", 0)
            assert queue.table.game.public.position == before
        answer = await guest.play(0, moves_of(queue)[0])
        assert (answer["type"], answer["version"]) == ("accepted", 1)
        event = await watcher.until("event")
        assert event["version"] == 1


@runs
async def test_another_process_was_quicker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest = await Guest.at(queue, *secrets)
        append = lobby._store.append

        async def quicker(*given: Any) -> None:
            await append(*given)
            raise Conflict

        with monkeypatch.context() as patch:
            patch.setattr(lobby._store, "append", quicker)
            answer = await guest.play(0, moves_of(queue)[0])
        assert (answer["code"], answer["version"]) == ("stale_version", 1)
        assert [seen["type"] for seen in guest.seen] == ["welcome", "event", "refused"]
        assert (await guest.play(1, moves_of(queue)[0]))["type"] == "accepted"


@runs
async def test_a_guest_who_missed_something_gets_just_that(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest = await Guest.at(queue, *secrets)
        for _ in range(5):
            await guest.play(queue.table.waiting[0], moves_of(queue)[0])
        events = [seen for seen in guest.seen if seen["type"] == "event"]
        again = await Guest.at(queue, *secrets, version=2)
        resumed = again.seen[-1]
        assert resumed["type"] == "resumed"
        assert [{**event, "you": None} for event in resumed["events"]] == [
            {**event, "you": None} for event in events[2:]
        ]
        assert all(event["you"] == {"seats": [0, 1]} for event in resumed["events"])
        assert resumed["you"] == events[-1]["you"]
        nothing = await Guest.at(queue, version=5)
        assert nothing.seen[-1]["events"] == []
        for version in (6, 10**6):
            assert (await Guest.at(queue, version=version)).seen[-1]["type"] == "welcome"


@runs
async def test_who_missed_too_much_gets_everything(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest = await Guest.at(queue, *secrets)
        for number in range(RESUMABLE + 2):
            await guest.ask(incoming.Rename(seat=0, name=f"n{number}"))
        assert (await Guest.at(queue, version=1)).seen[-1]["type"] == "welcome"
        assert (await Guest.at(queue, version=2)).seen[-1]["type"] == "resumed"


@runs
async def test_a_table_goes_on_after_it_was_let_go(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db", idle_seconds=0.05) as lobby:
        secrets, queue = await seated(lobby, "here", "here", wall="gray")
        guest = await Guest.at(queue, *secrets)
        for _ in range(4):
            await guest.play(queue.table.waiting[0], moves_of(queue)[0])
        seen = next(seen for seen in reversed(guest.seen) if seen["type"] == "event")
        await asyncio.sleep(0.2)
        assert len(lobby._live) == 1  # somebody is here
        queue.leave(guest.client)
        while lobby._live:
            await asyncio.sleep(0.02)
        queue = await lobby.table(queue.table.id)
        again = await Guest.at(queue, *secrets)
        for key in ("version", "table", "position", "you", "waiting"):
            assert again.seen[-1][key] == seen[key]
        assert (await again.play(queue.table.waiting[0], moves_of(queue)[0]))["type"] == "accepted"
        with pytest.raises(Refuse, match="unknown_table"):
            await lobby.table("nosuchtable")


@runs
async def test_presence_and_the_first_visit_of_a_friend(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "friend", "computer")
        guest = await Guest.at(queue, secrets[0])
        assert guest.seen[-1]["present"] == [True, False, True]
        assert not guest.seen[-1]["table"]["seats"][1].get("joined", False)
        friend = await Guest.at(queue, secrets[1])
        event = await guest.until("event")
        assert event["what"] == {"type": "joined", "seat": 1}
        assert (await guest.until("present"))["present"] == [True, True, True]
        watcher = await Guest.at(queue)
        assert watcher.seen[-1]["watchers"] == 1
        queue.leave(friend.client)
        assert (await watcher.until("present"))["present"] == [True, False, True]
        answer = await guest.ask(incoming.Substitute(seat=1))
        assert answer["type"] == "accepted"
        back = await Guest.at(queue, secrets[1])
        assert (await back.ask(incoming.ComeBack(seat=1)))["type"] == "accepted"
        with pytest.raises(Refuse, match="wrong_link"):
            queue.join(Client(), incoming.Hello(secrets=["x" * 32]))


@runs
async def test_emotes_are_shown_and_not_kept(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest, watcher = await Guest.at(queue, secrets[0]), await Guest.at(queue)
        assert (await guest.ask(incoming.ShowEmote(seat=0, emote="wow")))["version"] == 0
        assert await watcher.until("emoted") == {"type": "emoted", "seat": 0, "emote": "wow"}
        for wrong in (
            guest.ask(incoming.ShowEmote(seat=1, emote="wow")),
            watcher.ask(incoming.ShowEmote(seat=0, emote="wow")),
        ):
            assert (await wrong)["code"] == "not_your_seat"


@runs
async def test_a_rematch_moves_the_seats_and_the_same_tiles_do_not(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        for same in (False, True):
            secrets, queue = await seated(lobby, "here", "friend")
            guest = await Guest.at(queue, secrets[0])
            assert (await guest.ask(incoming.Rematch(same_tiles=same)))["code"] == "not_over"
            await guest.ask(incoming.Resign(seat=0))
            watcher = await Guest.at(queue)
            assert (await watcher.ask(incoming.Rematch()))["code"] == "not_your_seat"
            assert (await guest.ask(incoming.Rematch(same_tiles=same)))["type"] == "accepted"
            event = await watcher.until_event("rematched")
            assert (await guest.ask(incoming.Rematch(same_tiles=same)))["version"] == event["version"]  # only one
            following = await lobby.table(event["what"]["table"])
            mine = await Guest.at(following, secrets[0])
            info = mine.seen[-1]["table"]
            assert [seat["kind"] for seat in info["seats"]] == (["here", "friend"] if same else ["friend", "here"])
            assert mine.seen[-1]["you"]["seats"] == ([0] if same else [1])
            assert (info["commitment"] == queue.table.dealer.commitment) == same
            assert (
                following.table.game.public.view.displays == queue.table.game.public.from_start().view.displays
            ) is False
            assert (following.table.game.public.history[0] == queue.table.game.public.history[0]) == same


@runs
async def test_that_somebody_takes_a_hint_is_told_and_marks_the_game(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest, watcher = await Guest.at(queue, *secrets), await Guest.at(queue)
        for version in range(2):  # each time
            answer = await guest.ask(incoming.TakeHint(seat=0, version=version, id="h"))
            assert (answer["type"], answer["id"], answer["version"]) == ("accepted", "h", version + 1)
            event = await watcher.until("event")
            assert event["what"] == {"type": "assisted", "seat": 0}
            assert event["table"]["assisted"]
            assert [seat.get("assisted", False) for seat in event["table"]["seats"]] == [True, False]


@runs
async def test_hints_are_refused_where_they_were_not_allowed_and_at_the_rematch(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        seats = [NewSeat("here", "Ana"), NewSeat("here", "Rui")]
        created = await lobby.create(incoming.NewTable(seats, starter=0, hints=False))
        queue = await lobby.table(created.table.id)
        guest = await Guest.at(queue, *[secret for secret in created.secrets if secret])
        assert guest.seen[0]["table"]["hints"] is False
        assert (await guest.ask(incoming.TakeHint(seat=0, version=0)))["code"] == "no_hints"
        await guest.ask(incoming.Resign(seat=0))
        await guest.ask(incoming.Rematch())
        again = await lobby.table(str(queue.table.next))
        assert not again.table.setup.hints


class Slow(Quick):
    """Answers when it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def choose(self, position: str, player: str, seed: int) -> Chosen:
        chosen = await super().choose(position, player, seed)
        await self.go.wait()
        return chosen


@runs
async def test_an_answer_that_comes_too_late_is_dropped(tmp_path: Path) -> None:
    computers = Slow()
    async with lobby_on(tmp_path / "t.db", computers) as lobby:
        secrets, queue = await seated(lobby, "here", "computer")
        guest = await Guest.at(queue, *secrets)
        first, second = moves_of(queue)[0], moves_of(queue)[-1]
        await guest.play(0, first)
        await asyncio.sleep(0.01)
        assert (await guest.ask(incoming.Undo(seat=0, version=1)))["type"] == "accepted"
        await guest.play(0, second)
        await asyncio.sleep(0.01)
        assert len(computers.asked) == 2
        computers.go.set()
        event = await guest.until_event("played")
        assert event["version"] == 4
        assert event["what"]["happenings"][0]["seat"] == 1
        assert len(queue.table.game.decisions) == 2


class Broken(Quick):
    """Fails twice, then answers nonsense, then plays."""

    async def choose(self, position: str, player: str, seed: int) -> Chosen:
        chosen = await super().choose(position, player, seed)
        if len(self.asked) <= 2:
            raise Refuse("no_computer")
        return Chosen("t99") if len(self.asked) == 3 else chosen


@runs
async def test_computers_that_fail_are_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.server.live.computers.RETRY_SECONDS", 0.01)
    computers = Broken()
    async with lobby_on(tmp_path / "t.db", computers) as lobby:
        secrets, queue = await seated(lobby, "computer", "here")
        guest = await Guest.at(queue, *secrets)
        await guest.until_event("played")
        assert len(computers.asked) == 4


@runs
async def test_computers_among_themselves_play_only_while_somebody_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("azulejos.server.live.computers.WATCHING_PACE_MS", 30)
    async with lobby_on(tmp_path / "t.db") as lobby:
        _, queue = await seated(lobby, "computer", "computer")
        await asyncio.sleep(0.1)
        assert queue.table.version == 0
        started = asyncio.get_running_loop().time()
        watcher = await Guest.at(queue)
        for _ in range(5):
            await watcher.until("event")
        assert asyncio.get_running_loop().time() - started >= 0.15
        queue.leave(watcher.client)
        while queue.sockets:
            await asyncio.sleep(0.01)
        stopped = queue.table.version
        await asyncio.sleep(0.15)
        assert queue.table.version == stopped


@runs
async def test_who_reads_too_slowly_is_sent_away_and_the_others_are_not_held_up(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest, slow = await Guest.at(queue, *secrets), await Guest.at(queue)
        for number in range(MOST_UNSENT + 5):
            await guest.ask(incoming.Rename(seat=0, name=f"n{number}"))
        assert slow.client.too_slow.is_set()
        assert slow.client.unsent.qsize() == MOST_UNSENT
        assert not guest.client.too_slow.is_set()


@runs
async def test_a_crowded_table_refuses(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        secrets, queue = await seated(lobby, "here", "here")
        guest = await Guest.at(queue, *secrets)
        for _ in range(MOST_WAITING):
            queue.submit(guest.client, incoming.Rename(seat=0, name="n"))
        with pytest.raises(Refuse, match="busy"):
            queue.submit(guest.client, incoming.Rename(seat=0, name="n"))


@runs
async def test_tables_that_cannot_be_made(tmp_path: Path) -> None:
    async with lobby_on(tmp_path / "t.db") as lobby:
        with pytest.raises(Refuse, match="bad_seats"):
            await lobby.create(new_table("here", "here", starter=2))
        with pytest.raises(Refuse, match="bad_clock"):
            await lobby.create(new_table("here", "here", clock=Clock(1)))
        with pytest.raises(Refuse, match="bad_name"):
            await lobby.create(incoming.NewTable([NewSeat("here", "\u200b")] * 2))
        lobby._store.tables = 1000
        with pytest.raises(Refuse, match="too_many_tables"):
            await lobby.create(new_table("here", "here"))
