/** Studies that are kept in this browser as long as nobody deletes them: nothing that was tried or written is lost by a reload. */

import { read, remove, write } from "../settings/local";

/** A study in the list of those that are kept here. */
export interface KeptStudy {
  readonly id: string;
  readonly names: readonly string[];
  /** When it was changed last. */
  readonly used: string;
}

const LIST = "studies";
/** The oldest beyond these make room. */
const MOST = 40;

function isKept(value: unknown): value is KeptStudy {
  const one = value as KeptStudy;
  return typeof one === "object" && one !== null && typeof one.id === "string" && typeof one.used === "string" && Array.isArray(one.names);
}

/** For browsers that keep nothing: better than losing a file that was just opened. */
const memory = new Map<string, string>();

const keyOf = (id: string): string => `study.${id}`;

/** All of them, the latest first. */
export function keptStudies(): KeptStudy[] {
  const stored = read(LIST);
  return Array.isArray(stored) ? stored.filter(isKept) : [];
}

/** The record of a study; null if it is not kept here. */
export function keptStudy(id: string): string | null {
  const text = read(keyOf(id));
  return typeof text === "string" ? text : (memory.get(id) ?? null);
}

/** Keeps the record of a study; says whether that worked. */
export function keepStudy(id: string, names: readonly string[], text: string): boolean {
  memory.set(id, text);
  const rest = keptStudies().filter((one) => one.id !== id);
  for (const old of rest.splice(MOST - 1)) remove(keyOf(old.id));
  return write(keyOf(id), text) && write(LIST, [{ id, names, used: new Date().toISOString() }, ...rest]);
}

export function forgetStudy(id: string): void {
  memory.delete(id);
  remove(keyOf(id));
  write(
    LIST,
    keptStudies().filter((one) => one.id !== id),
  );
}

/** A name for a new study. */
export function newStudy(): string {
  return `s${crypto.getRandomValues(new Uint32Array(2)).reduce((text, number) => text + number.toString(36), "")}`;
}
