/** How tiles are drawn, for every tile below a component. */

import { getContext, setContext } from "svelte";

export interface Look {
  readonly letters: boolean;
  readonly patterns: boolean;
}

const KEY = "azulejos-look";
const PLAIN: Look = { letters: false, patterns: true };

export function setLook(look: Look): void {
  setContext(KEY, look);
}

export function getLook(): Look {
  return getContext<Look | undefined>(KEY) ?? PLAIN;
}
