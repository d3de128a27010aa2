/** Position lines: of a fresh game, and in addresses. */

/** The line in an address, where blanks become `_`. */
export function inAddress(line: string): string {
  return line.replaceAll(" ", "_");
}

/** And back; whatever white space people paste is one blank. */
export function fromAddress(text: string): string {
  return text.replaceAll("_", " ").replaceAll(/\s+/g, " ").trim();
}

/** A fresh game whose first deal is due; `starter` is a seat from 0. */
export function freshPosition(players: number, wall: "std" | "gray", starter = 0): string {
  const displays = Array<string>(2 * players + 1)
    .fill("-")
    .join("/");
  const boards = Array<string>(players).fill("0:-/-/-/-/-:5/5/5/5/5:-").join(" ");
  return `${wall} ${displays} F ${boards} B20Y20R20K20W20 r${starter + 1} 1@${starter + 1}`;
}
