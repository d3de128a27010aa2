// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { expect, it } from "vitest";
import Heard from "../parts/Heard.svelte";
import { speak } from "../parts/spoken.svelte";
import { fixture } from "./fixtures";
import { DEFAULT_SETTINGS, type TableProps } from "./props";
import Table from "./Table.svelte";

it("says what is said beside the table once each time, in order, by the one voice", () => {
  const frames = fixture("middle2").slice(-1);
  const seats = ["Ana", "Bruno"].map((name) => ({ kind: "here" as const, name }));
  const props: TableProps = {
    table: { id: "t", wall: "std", created: "", commitment: "", seats },
    frames,
    you: { seats: [0] },
    settings: { ...DEFAULT_SETTINGS, speed: "instant", sounds: false },
  };
  const shown = [mount(Table, { target: document.body, props }), mount(Heard, { target: document.body })];
  flushSync();
  for (const text of ["It costs 21 %.", "Round 1.", "Round 1."]) {
    speak(text);
    flushSync();
  }
  const voices = [...document.querySelectorAll("[aria-live]")];
  expect(voices).toHaveLength(1);
  expect([...voices[0]!.children].map(({ textContent }) => textContent).slice(-3)).toEqual(["It costs 21 %.", "Round 1.", "Round 1."]);
  for (const each of shown) void unmount(each);
});
