/** Something is wrong with a module, a weights file, a position or a move; the message names it in a sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
}
