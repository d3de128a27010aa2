import { expect, it } from "vitest";
import { Fault } from "../engine/fault";
import { m } from "../paraglide/messages.js";
import { errorText } from "./refusals";

it("words what is wrong with the game's module by its kind, never by the English sentence", () => {
  const said = "The game's module cannot be loaded: 500";
  expect(errorText(new Fault(said, { kind: "unloaded" }))).toBe(m.refusal_module_unloaded({ file: "azulejos.wasm" }));
  expect(errorText(new Fault(said, { kind: "damaged" }))).toBe(m.refusal_module_damaged({ file: "azulejos.wasm" }));
  expect(errorText(new Fault(said, { kind: "memory" }))).toBe(m.refusal_module_memory());
  expect(errorText(new Fault(said, { kind: "silent" }))).toBe(m.refusal_no_computer());
  expect(errorText(new Fault(said))).toBe(m.refusal_no_module());
});
