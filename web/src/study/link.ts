/** A whole game in a link: its record, packed. */

import { RefusalError } from "../net/api";
import { at, hasServer } from "../shell/place";

/** A record that is longer is no game, or would keep a page busy for long. */
export const MOST_CHARACTERS = 200_000;
/** Longer links are cut by too many programs through which people send them. */
const LONGEST_LINK = 8000;
const NAME = "g";

async function through(data: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([data]).stream().pipeThrough(stream).getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RefusalError("too_large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A text in letters that an address takes. */
export async function packed(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), MOST_CHARACTERS);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** And back; what is damaged is refused, and what would become too large, too. */
export async function unpacked(letters: string): Promise<string> {
  if (letters.length > MOST_CHARACTERS) throw new RefusalError("too_large");
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream("deflate-raw"), MOST_CHARACTERS);
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch (error) {
    throw error instanceof RefusalError ? error : new RefusalError("bad_link");
  }
}

/** The link to a record; refused where it would be too long. On a server it is in the fragment, which is not sent there. */
export async function linkToGame(text: string, href: string, server = hasServer): Promise<string> {
  const game = `${NAME}=${await packed(text)}`;
  const link = new URL(server ? `/analysis#${game}` : at(`/analysis?${game}`, false), href).href;
  if (link.length > LONGEST_LINK) throw new RefusalError("link_too_long");
  return link;
}

/** The packed record in an address, whichever part of it holds it. */
export function gameIn(query: string, fragment: string): string | null {
  return new URLSearchParams(query).get(NAME) ?? (fragment.startsWith("#/") ? null : new URLSearchParams(fragment.slice(1)).get(NAME));
}
