/** Networks: files that are laid out as memory, with tables that say what lies where. */
import { Fault } from "./fault";
import { FEATURES_VERSION, WEIGHTS_FORMAT } from "./generated/bindings";

/** A row of a table: whether its first number is an address counted from the network's beginning, and its numbers. */
export type Row = readonly [boolean, readonly number[]];

interface Head {
  readonly format: string;
  readonly features: number;
  readonly bytes: number;
  readonly check: number;
  readonly pieces: readonly (readonly [at: number, bytes: number, planes: number])[];
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

/** A network as it goes into memory. */
export interface Weights {
  /** The bytes it takes, with room to compute in. */
  readonly bytes: number;
  /** Its arrays and where each begins. */
  readonly pieces: readonly { readonly at: number; readonly data: Uint8Array }[];
  /** The table of a game with so many players. */
  table(players: number): readonly Row[];
}

const NEWLINE = 10;
const ADLER_MODULUS = 65521;
const ADLER_RUN = 3800;

/** Reads a weights file; `name` says in an error which one. */
export async function readWeights(file: Uint8Array<ArrayBuffer>, name: string): Promise<Weights> {
  const head = readHead(file, name);
  const data = await inflate(file.subarray(file.indexOf(NEWLINE) + 1), name);
  const length = head.pieces.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (data.length !== length || adler32(data) !== head.check) throw new Fault(`The weights "${name}" are damaged.`, { kind: "damaged" });
  let from = 0;
  const pieces = head.pieces.map(([at, bytes, planes]) => {
    const piece = joined(data.subarray(from, from + bytes), planes);
    from += bytes;
    return { at, data: piece };
  });
  return { bytes: head.bytes, pieces, table: (players) => head.tables[players]! };
}

function readHead(file: Uint8Array, name: string): Head {
  let head: Head;
  try {
    head = JSON.parse(new TextDecoder().decode(file.subarray(0, Math.max(0, file.indexOf(NEWLINE))))) as Head;
  } catch (error) {
    throw new Fault(`"${name}" is not a file of weights.`, { kind: "damaged", cause: error });
  }
  if (head.format !== WEIGHTS_FORMAT || head.features !== FEATURES_VERSION) {
    const found = `${head.format}, features ${head.features}`;
    throw new Fault(`The weights "${name}" are of another version: ${found} instead of ${WEIGHTS_FORMAT}, features ${FEATURES_VERSION}.`, {
      kind: "damaged",
    });
  }
  return head;
}

async function inflate(data: Uint8Array<ArrayBuffer>, name: string): Promise<Uint8Array> {
  try {
    const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new Fault(`The weights "${name}" are cut short or damaged.`, { kind: "damaged", cause: error });
  }
}

/** Numbers of which first all the lowest bytes come, then all the next. */
function joined(data: Uint8Array, planes: number): Uint8Array {
  const numbers = data.length / planes;
  const whole = new Uint8Array(data.length);
  for (let plane = 0; plane < planes; plane++) {
    for (let at = 0; at < numbers; at++) whole[at * planes + plane] = data[plane * numbers + at]!;
  }
  return whole;
}

function adler32(data: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let from = 0; from < data.length; from += ADLER_RUN) {
    const end = Math.min(data.length, from + ADLER_RUN);
    for (let at = from; at < end; at++) {
      low += data[at]!;
      high += low;
    }
    low %= ADLER_MODULUS;
    high %= ADLER_MODULUS;
  }
  return ((high << 16) | low) >>> 0;
}
