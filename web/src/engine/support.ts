/** Whether this browser can run the compiled module at all. */

/** A module with one instruction for four numbers at once: a browser that refuses it cannot run ours. */
const WITH_SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** What the browser lacks, or null. */
export function lacking(): "WebAssembly" | "WebAssembly SIMD" | null {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  return WebAssembly.validate(WITH_SIMD) ? null : "WebAssembly SIMD";
}
