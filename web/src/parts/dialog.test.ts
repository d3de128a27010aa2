// @vitest-environment happy-dom
import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";
import Dialog from "./Dialog.svelte";

afterEach(() => vi.useRealTimers());

it("a press beside it closes it, but not one that was meant for what it has just covered", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const onclose = vi.fn();
  const children = createRawSnippet(() => ({ render: () => "<p>Ana won</p>" }));
  const shown = mount(Dialog, { target: document.body, props: { title: "Result", onclose, children } });
  flushSync();
  const dialog = document.querySelector("dialog")!;
  vi.advanceTimersByTime(200);
  dialog.click();
  expect(dialog.open).toBe(true);
  vi.advanceTimersByTime(400);
  dialog.querySelector("p")!.click();
  expect(dialog.open).toBe(true);
  dialog.click();
  expect(dialog.open).toBe(false);
  expect(onclose).toHaveBeenCalledOnce();
  await unmount(shown);
});
