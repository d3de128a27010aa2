/** Studies that are kept in this browser as long as nobody deletes them: nothing that was tried or written is lost by a reload. */

import { Rows } from "../settings/database";
import { read, remove } from "../settings/local";

/** A study in the list of those that are kept here. */
export interface KeptStudy {
  readonly id: string;
  readonly names: readonly string[];
  /** When it was changed last. */
  readonly used: string;
}

interface Row extends Omit<KeptStudy, "id"> {
  readonly key: string;
  /** The record. */
  readonly text: string;
}

const rows = new Rows<Row>("azulejos-studies", "studies");
/** For browsers that keep nothing: better than losing a file that was just opened. */
const memory = new Map<string, Row>();

/** All of them, the latest first. */
export async function keptStudies(): Promise<KeptStudy[]> {
  const found = await moved()
    .then(() => rows.all())
    .catch(() => [...memory.values()]);
  return found.map(({ key, names, used }) => ({ id: key, names, used })).sort((one, other) => (one.used < other.used ? 1 : -1));
}

/** The record of a study; null if it is not kept here. */
export async function keptStudy(id: string): Promise<string | null> {
  const row = await moved()
    .then(() => rows.get(id))
    .catch(() => undefined);
  return (row ?? memory.get(id))?.text ?? null;
}

/** Keeps the record of a study; says whether that worked. */
export async function keepStudy(id: string, names: readonly string[], text: string): Promise<boolean> {
  const row: Row = { key: id, names: [...names], used: new Date().toISOString(), text };
  memory.set(id, row);
  return rows.put(row).then(
    () => true,
    () => false,
  );
}

export async function forgetStudy(id: string): Promise<void> {
  memory.delete(id);
  await rows.delete(id).catch(() => undefined);
}

/** A name for a new study. */
export function newStudy(): string {
  return `s${crypto.getRandomValues(new Uint32Array(2)).reduce((text, number) => text + number.toString(36), "")}`;
}

const OLD_LIST = "studies";

/** Moves studies to the database that earlier versions kept among the settings, where forty of them had room. */
async function moved(): Promise<void> {
  const list = read(OLD_LIST);
  if (!Array.isArray(list)) return;
  for (const { id, names, used } of list.filter(isKept)) {
    const text = read(`study.${id}`);
    if (typeof text === "string" && !(await rows.get(id))) await rows.put({ key: id, names, used, text });
    remove(`study.${id}`);
  }
  remove(OLD_LIST);
}

function isKept(value: unknown): value is KeptStudy {
  const one = value as KeptStudy;
  return typeof one === "object" && one !== null && typeof one.id === "string" && typeof one.used === "string" && Array.isArray(one.names);
}
