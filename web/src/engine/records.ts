/** Records of games as text. */

/** A move, or a deal at the head of a round. */
export interface Entry {
  readonly play: string | null;
  /** At the head of a round: its number, and the seat that starts it, from 0. */
  readonly head: readonly [round: number, starter: number] | null;
}

export interface GameRecord {
  readonly wall: "std" | "gray";
  readonly names: readonly string[];
  readonly entries: readonly Entry[];
  /** The scores; null for an unfinished game. */
  readonly result: readonly number[] | null;
  readonly event: string;
  readonly date: string;
  readonly tags: Readonly<Record<string, string>>;
}

const RULES_VERSION = "1";
const LINE_WIDTH = 100;
const INDENT = "  ";

/** The text of a record. */
export function writeRecord(record: GameRecord): string {
  const result = record.result?.join("-") ?? "*";
  const tags: [string, string][] = [
    ["Event", record.event],
    ["Date", record.date],
    ["Wall", record.wall],
    ["Players", String(record.names.length)],
    ...record.names.map((name, seat): [string, string] => [`Player${seat + 1}`, name]),
    ["Result", result],
    ["Rules", RULES_VERSION],
    ...Object.entries(record.tags).sort(([one], [other]) => (one < other ? -1 : 1)),
  ];
  const head = tags.map(([name, value]) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`);
  return [...head, "", ...rounds(record.entries), result, ""].join("\n");
}

function rounds(entries: readonly Entry[]): string[] {
  const lines: string[] = [];
  let moves: string[] = [];
  const flush = () => {
    lines.push(...wrapped(moves));
    moves = [];
  };
  for (const { play, head } of entries) {
    if (head) {
      flush();
      lines.push([`R${head[0]}@${head[1] + 1}`, ...(play === null ? [] : [play])].join(" "));
    } else if (play !== null) moves.push(play);
  }
  flush();
  return lines;
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = "";
    }
    line = line ? `${line} ${word}` : INDENT + word;
  }
  return line ? [...lines, line] : lines;
}
