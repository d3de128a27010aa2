import { expect, test } from "vitest";
import { sinceText } from "./results";

test.each([
  ["2026-11-18T12:00:59Z", "now"],
  ["2026-11-18T12:01:00Z", "1 minute ago"],
  ["2026-11-18T12:59:59Z", "59 minutes ago"],
  ["2026-11-18T15:10:00Z", "3 hours ago"],
  ["2026-11-18T11:59:00Z", "now"],
])("how long ago at %s", (now, text) => {
  expect(sinceText("2026-11-18T12:00:00Z", now, "en")).toBe(text);
});
