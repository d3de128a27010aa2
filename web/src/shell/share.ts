/** Giving something to somebody: the system's share sheet, or the clipboard. */

/** Copies text; says whether that worked. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByHand(text);
  }
}

/** Pages that came over plain HTTP from another machine have no clipboard, but a selection can still be copied. */
function copiedByHand(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  // Inside an open dialog: what lies behind it cannot be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const worked = document.execCommand("copy");
  field.remove();
  return worked;
}

export const canShare = typeof navigator !== "undefined" && typeof navigator.share === "function";

/** Opens the share sheet; a person who closes it again has not failed. */
export async function shared(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}

/** Whether an address means only this very machine. */
export function isOnlyHere(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(host);
}

/** Gives a text to the browser as a file to save. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
