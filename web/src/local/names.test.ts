import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RefusalError } from "../net/api";
import { cleanName } from "./names";

type Golden = readonly (readonly [text: string, name: string | null])[];
const NAMES = JSON.parse(readFileSync(new URL("../../../tests/golden/names.json", import.meta.url)).toString()) as Golden;

it.each(NAMES)("cleans %j as the server does", (text, name) => {
  if (name === null) expect(() => cleanName(text)).toThrow(RefusalError);
  else expect(cleanName(text)).toBe(name);
});
