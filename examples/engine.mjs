// The engine protocol spoken by Node, with the package that `make npm` writes:
//   azulejos match net "process:node examples/engine.mjs" --games 10 --nodes 200
// With a number behind it, it thinks so many times as long as it is told to:
//   azulejos match "process:node examples/engine.mjs 3" net --games 200 --milliseconds 83
import { createInterface } from "node:readline";
import { load } from "../dist/npm/index.mjs";

const az = await load();
const longer = Number(process.argv[2] ?? 1);
let position = null;
let thinking = null;

const COMMANDS = {
  azi: () => say("id name Azulejos for JavaScript", "id author The Azulejos authors", "aziok"),
  isready: () => say("readyok"),
  newgame: () => void (position = null),
  position: setPosition,
  go: (words) => void think(words),
  stop: () => thinking?.abort(),
  quit: () => process.exit(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.trim().split(/\s+/);
  if (!command) continue;
  try {
    if (!Object.hasOwn(COMMANDS, command)) fail("unknown_command", `there is no command '${command}': expected one of ${Object.keys(COMMANDS).join(", ")}`);
    if (thinking && !["isready", "stop", "quit"].includes(command)) fail("busy", `thinking: '${command}' has to wait for the answer or for stop`);
    COMMANDS[command](words);
  } catch (error) {
    say(`error ${error.code ?? "bad_value"} ${error.message}`);
  }
}

function say(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}

function fail(code, text) {
  throw Object.assign(new Error(text), { code });
}

function setPosition(words) {
  const end = words.includes("moves") ? words.indexOf("moves") : words.length;
  if (words[0] !== "pos") fail("bad_arguments", "expected position pos LINE [moves ...]");
  const line = words.slice(end + 1).reduce((before, move) => az.play(before, move), words.slice(1, end).join(" "));
  az.legalMoves(line); // which says what is wrong with it
  position = line;
}

async function think(words) {
  thinking = new AbortController();
  try {
    if (!position) fail("bad_arguments", "expected a position before go");
    const { moves } = await az.analyze(position, { ...limits(words), toPlay: true, signal: thinking.signal, tell });
    say(`bestmove ${moves[0].move}`);
  } catch (error) {
    say(`error ${error.code ?? "bad_value"} ${error.message}`);
  }
  thinking = null;
}

function limits(words) {
  if (words.join() === "infinite") return { milliseconds: 3_600_000 };
  const right = /^((nodes|movetime|seed) \d+ ?)*$/.test(words.join(" "));
  if (!right) fail("bad_arguments", "expected go, go infinite, or go with nodes NUMBER, movetime MILLISECONDS or both");
  const named = Object.fromEntries(words.flatMap((name, at) => (at % 2 ? [] : [[name, Number(words[at + 1])]])));
  return { nodes: named.nodes, milliseconds: named.movetime && longer * named.movetime };
}

function tell({ nodes, seconds, depth, moves: [best] }) {
  const head = `info nodes ${nodes} time ${Math.round(1000 * seconds)} nps ${Math.round(nodes / Math.max(seconds, 0.001))} depth ${depth}`;
  const margin = `${best.margin < 0 ? "" : "+"}${best.margin?.toFixed(1)}`;
  const value = best.win ? ` margin ${margin} win ${best.win.map((share) => (100 * share).toFixed(1)).join(" ")}` : "";
  say(`${head} multipv 1${value} pv ${best.line.join(" ")}`);
}
