/** Names of people that cannot play tricks on whoever reads them. As `azulejos.server.tables.names`. */
import { stripped, WHITE, words } from "../engine/white";
import { RefusalError } from "../net/api";
import { BLANKS, LONGEST_NAME, MOST_MARKS } from "../net/messages";

const WHITE_SPACE = new RegExp(`[${WHITE}]`, "u");
const UNPRINTABLE = /[\p{C}\p{Z}]/u;
const MARK = /[\p{Mn}\p{Me}]/u;

/** A name as it may be shown: one line, nothing invisible, nothing that turns the direction of writing; empty if there is none. */
export function cleanName(text: string): string {
  const seen = [...text].filter((letter) => WHITE_SPACE.test(letter) || isVisible(letter)).join("");
  const name = thinned(words(seen.normalize("NFC")).join(" "));
  if ([...name].length > LONGEST_NAME || (stripped(text) && !name)) throw new RefusalError("bad_name");
  return name;
}

function isVisible(letter: string): boolean {
  return !UNPRINTABLE.test(letter) && !(BLANKS as readonly string[]).includes(letter);
}

function thinned(text: string): string {
  let marks: number = MOST_MARKS; // one that stands first would sit on whatever is written before the name
  return [...text].filter((letter) => (marks = MARK.test(letter) ? marks + 1 : 0) <= MOST_MARKS).join("");
}
