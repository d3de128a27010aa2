import { expect, test } from "vitest";
import { apart } from "./names";

test("equal names are numbered, others stay", () => {
  expect(apart(["Ana", "Casual", "Casual", "Rui"])).toEqual(["Ana", "Casual 1", "Casual 2", "Rui"]);
});
