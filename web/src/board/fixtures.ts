/** Real positions for tests and the gallery, made by fixtures/make.py. */

import type { HappeningInfo } from "../net/messages";
import type { Frame } from "./props";

type Kept = Omit<Frame, "log"> & { happenings: HappeningInfo[] };
const ALL = import.meta.glob<Kept[]>("./fixtures/*.json", { eager: true, import: "default" });

export function fixture(name: string): Frame[] {
  const found = ALL[`./fixtures/${name}.json`];
  if (!found) throw new Error(`no fixture ${JSON.stringify(name)}`);
  return found.map(({ version, position }, index) => ({
    version,
    position,
    log: found.slice(0, index + 1).flatMap(({ happenings }) => happenings),
  }));
}
