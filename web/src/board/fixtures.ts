/** Real positions for tests and the gallery, made by fixtures/make.py. */

import type { Frame } from "./props";

const ALL = import.meta.glob<Frame[]>("./fixtures/*.json", { eager: true, import: "default" });

export function fixture(name: string): Frame[] {
  const found = ALL[`./fixtures/${name}.json`];
  if (!found) throw new Error(`no fixture ${JSON.stringify(name)}`);
  return found;
}
