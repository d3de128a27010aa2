/** Reviews that are kept in this browser, so that they are there at once the next time; nothing here ever throws. */

import { STAMP } from "../engine/generated/bindings";
import type { Findings, Followed } from "../engine/review";
import { writePosition } from "../engine/notation";
import { sha256 } from "../engine/sha256";
import { Rows } from "../settings/database";

/** The oldest beyond these make room: a review takes some tens of kilobytes. */
const MOST = 100;

interface Row {
  readonly key: string;
  readonly used: number;
  readonly findings: Findings;
}

const rows = new Rows<Row>("azulejos-reviews", "reviews");

/** The name of a game's review: another one for other moves, other settings, another engine or another network. */
export function keyOf({ steps, end }: Followed, nodes: number): string {
  const plays = [writePosition(steps[0]?.before ?? end), ...steps.map(({ play }) => play)].join(" ");
  const digest = sha256(new TextEncoder().encode(plays));
  return `${nodes}-${STAMP}-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What was found out about a game before; null if nothing is kept, or it does not fit. */
export async function keptFindings(key: string, { steps }: Followed): Promise<Findings | null> {
  try {
    const row = await rows.get(key);
    const { looks, reasons } = row?.findings ?? { looks: [], reasons: [] };
    return looks.length === steps.length + 1 && reasons.length === steps.length ? { looks, reasons } : null;
  } catch {
    return null;
  }
}

/** Keeps what was found out about a game; says whether that worked. */
export async function keepFindings(key: string, findings: Findings): Promise<boolean> {
  try {
    await rows.put({ key, used: Date.now(), findings });
    const old = (await rows.all()).sort((one, other) => other.used - one.used).slice(MOST);
    for (const row of old) await rows.delete(row.key);
    return true;
  } catch {
    return false;
  }
}
