import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeWire, fakeEvent, fakePlayed, fakeWelcome } from "./fake";
import { type Outgoing, PROTOCOL, type Refused } from "./messages";
import { type Connection, TableSocket, socketAddress } from "./socket";

let wires: FakeWire[];
let heard: Outgoing[];
let connections: [Connection, Refused | null][];

function connect(secrets: string[] = ["s".repeat(32)]): TableSocket {
  return new TableSocket({
    address: "ws://host/ws/tables/abc",
    secrets,
    open: (address) => {
      const wire = new FakeWire(address);
      wires.push(wire);
      return wire;
    },
    onmessage: (message) => heard.push(message),
    onconnection: (...change) => connections.push(change),
    random: () => 1,
  });
}

function wire(): FakeWire {
  const last = wires.at(-1);
  if (!last) throw new Error("no connection was tried");
  return last;
}

function welcomed(version = 5): TableSocket {
  const socket = connect();
  wire().onopen?.();
  wire().say(fakeWelcome(version));
  return socket;
}

/** The connection breaks and comes back. */
function broken(): FakeWire {
  wire().onclose?.();
  vi.advanceTimersByTime(400);
  wire().onopen?.();
  return wire();
}

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  heard = [];
  connections = [];
});
afterEach(() => void vi.useRealTimers());

describe("hello", () => {
  it("says who I am and that I have seen nothing yet", () => {
    connect(["a".repeat(32)]);
    wire().onopen?.();
    expect(wire().sent).toEqual([{ type: "hello", secrets: ["a".repeat(32)], version: null, protocol: PROTOCOL }]);
  });

  it("an attempt that never ends is given up for another", () => {
    connect();
    vi.advanceTimersByTime(10_000);
    expect(connections).toEqual([["reconnecting", null]]);
    vi.advanceTimersByTime(400);
    expect(wires).toHaveLength(2);
  });

  it("is open only after the welcome", () => {
    const socket = connect();
    wire().onopen?.();
    expect(socket.state).toBe("connecting");
    wire().say(fakeWelcome(5));
    expect(socket.state).toBe("open");
    expect(heard.map((message) => message.type)).toEqual(["welcome"]);
  });

  it("stays away for good when the link is wrong", () => {
    const socket = connect();
    wire().onopen?.();
    wire().say({ type: "refused", code: "wrong_link" });
    expect(socket.state).toBe("closed");
    expect(connections).toEqual([["closed", { type: "refused", code: "wrong_link" }]]);
    vi.advanceTimersByTime(60_000);
    expect(wires).toHaveLength(1);
  });

  it("tries again when the server is only busy", () => {
    connect();
    wire().onopen?.();
    wire().say({ type: "refused", code: "busy" });
    vi.advanceTimersByTime(400);
    expect(wires).toHaveLength(2);
  });
});

describe("questions", () => {
  it("are answered by their id", async () => {
    const socket = welcomed();
    const first = socket.ask({ type: "play", move: "1B1", version: 5, seat: 0 });
    const second = socket.ask({ type: "resign", seat: 0 });
    wire().say({ type: "refused", code: "game_over", id: wire().last("resign")["id"] as string });
    wire().say({ type: "accepted", id: wire().last("play")["id"] as string, version: 6 });
    expect((await first).type).toBe("accepted");
    expect(await second).toMatchObject({ type: "refused", code: "game_over" });
  });

  it("asked before the welcome are sent after it", () => {
    const socket = connect();
    void socket.ask({ type: "rename", seat: 0, name: "Bo" });
    wire().onopen?.();
    expect(wire().sent).toHaveLength(1);
    wire().say(fakeWelcome(5));
    expect(wire().last("rename")).toMatchObject({ name: "Bo" });
  });

  it("are refused at once when the connection is closed", async () => {
    const socket = welcomed();
    const open = socket.ask({ type: "resign", seat: 0 });
    socket.close();
    expect(await open).toMatchObject({ code: "connection_lost" });
    expect(await socket.ask({ type: "resign", seat: 0 })).toMatchObject({ code: "connection_lost" });
  });
});

describe("a lost connection", () => {
  it("comes back with the last version and waits longer each time", () => {
    const socket = welcomed(5);
    wire().say(fakePlayed(6, "1B1", 0));
    wire().onclose?.();
    expect(socket.state).toBe("reconnecting");
    vi.advanceTimersByTime(399);
    expect(wires).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(wires).toHaveLength(2);
    wire().onclose?.();
    vi.advanceTimersByTime(799);
    expect(wires).toHaveLength(2);
    vi.advanceTimersByTime(1);
    wire().onopen?.();
    expect(wire().last("hello")).toMatchObject({ version: 6 });
  });

  it("passes on the events missed, each once", () => {
    welcomed(5);
    broken().say({
      type: "resumed",
      events: [fakePlayed(5, "1B1", 0), fakePlayed(6, "2B1", 1), fakePlayed(7, "3B1", 0)],
      you: { seats: [0] },
      present: [true, true],
      watchers: 0,
    });
    expect(heard.filter((message) => message.type === "event").map((event) => "version" in event && event.version)).toEqual([6, 7]);
    expect(connections.at(-1)).toEqual(["open", null]);
  });

  it("sends an unanswered move again when nothing happened meanwhile", async () => {
    const socket = welcomed(5);
    const answer = socket.ask({ type: "play", move: "1B1", version: 5, seat: 0 });
    const id = wire().last("play")["id"] as string;
    const second = broken();
    second.say({ type: "resumed", events: [], you: {}, present: [], watchers: 0 });
    expect(second.last("play")).toMatchObject({ id, move: "1B1", version: 5 });
    second.say({ type: "accepted", id, version: 6 });
    expect((await answer).type).toBe("accepted");
  });

  it("knows that an unanswered move had been played, and does not play it twice", async () => {
    const socket = welcomed(5);
    const answer = socket.ask({ type: "play", move: "1B1", version: 5, seat: 0 });
    const second = broken();
    second.say({ type: "resumed", events: [fakePlayed(6, "1B1", 0)], you: {}, present: [], watchers: 0 });
    expect((await answer).type).toBe("accepted");
    expect(() => second.last("play")).toThrow();
  });

  it("leaves it to the server whether an unanswered move is too late for what else happened", async () => {
    const socket = welcomed(5);
    const answer = socket.ask({ type: "play", move: "1B1", version: 5, seat: 0 });
    const second = broken();
    second.say({
      type: "resumed",
      events: [fakeEvent(6, { type: "undone", seat: 0, moves: 2 })],
      you: {},
      present: [],
      watchers: 0,
    });
    const sent = second.last("play");
    expect(sent).toMatchObject({ move: "1B1", version: 5 }); // what it was decided upon
    second.say({ type: "refused", code: "stale_version", id: sent["id"] as string, version: 6 });
    expect(await answer).toMatchObject({ type: "refused", code: "stale_version" });
  });

  it("drops a sign that nobody saw", async () => {
    const socket = welcomed(5);
    const answer = socket.ask({ type: "emote", seat: 0, emote: "wow" });
    broken().say({ type: "resumed", events: [], you: {}, present: [], watchers: 0 });
    expect(await answer).toMatchObject({ code: "connection_lost" });
  });

  it("is tried at once when asked to hurry", () => {
    const socket = welcomed(5);
    wire().onclose?.();
    socket.hurry();
    expect(wires).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(wires).toHaveLength(2);
  });

  it("is noticed four seconds after a move that got no answer, and the move is sent again", () => {
    const socket = welcomed(5);
    void socket.ask({ type: "play", seat: 0, move: "1B1", version: 5 });
    vi.advanceTimersByTime(3900);
    expect(socket.state).toBe("open");
    vi.advanceTimersByTime(100);
    expect(socket.state).toBe("reconnecting");
    vi.advanceTimersByTime(400);
    wire().onopen?.();
    wire().say({ type: "resumed", events: [], you: {}, present: [], watchers: 0 });
    expect([socket.state, wire().last("play")["move"]]).toEqual(["open", "1B1"]);
  });

  it("is not noticed after a move that was answered in time", () => {
    const socket = welcomed(5);
    void socket.ask({ type: "play", seat: 0, move: "1B1", version: 5 });
    vi.advanceTimersByTime(3900);
    wire().say({ type: "accepted", id: "m1", version: 6 });
    vi.advanceTimersByTime(10_000);
    expect(socket.state).toBe("open");
  });

  it("is noticed by silence", () => {
    const socket = welcomed(5);
    vi.advanceTimersByTime(20_000);
    expect(wire().last("ping")).toEqual({ type: "ping" });
    wire().say({ type: "pong" });
    vi.advanceTimersByTime(15_000);
    expect(socket.state).toBe("open");
    vi.advanceTimersByTime(15_000);
    expect(socket.state).toBe("reconnecting");
    expect(wires[0]?.closed).toBe(true);
  });
});

it("asks again for what is missing when versions have a gap", () => {
  welcomed(5);
  wire().say(fakePlayed(8, "1B1", 0));
  expect(heard.map((message) => message.type)).toEqual(["welcome"]);
  vi.advanceTimersByTime(400);
  wire().onopen?.();
  expect(wire().last("hello")).toMatchObject({ version: 5 });
});

it("ignores what it cannot read", () => {
  const socket = welcomed();
  for (const data of ["", "{", "null", "[1]", 7, '{"type":7}']) wire().onmessage?.({ data });
  expect(socket.state).toBe("open");
  expect(heard).toHaveLength(1);
});

it("comes back after the server said that it ends", () => {
  const socket = welcomed();
  wire().say({ type: "closing" });
  expect(socket.state).toBe("reconnecting");
});

it("speaks securely where the page does", () => {
  expect(socketAddress({ protocol: "https:", host: "a.example" }, "x/y")).toBe("wss://a.example/ws/tables/x%2Fy");
  expect(socketAddress({ protocol: "http:", host: "[::1]:80" }, "t")).toBe("ws://[::1]:80/ws/tables/t");
});
