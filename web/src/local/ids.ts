/** The names of local tables: other letters than a server's, so that an address tells which it is. */

const PREFIX = "local-";
const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 12;

/** Whether a table is kept in this browser and not by a server. */
export function isLocal(id: string): boolean {
  return id.startsWith(PREFIX);
}

export function newId(): string {
  return PREFIX + Array.from({ length: LENGTH }, () => LETTERS[below(LETTERS.length)]).join("");
}

/** A number from 0 up to this one, each equally likely. */
export function below(count: number): number {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((number! / 2 ** 32) * count);
}
