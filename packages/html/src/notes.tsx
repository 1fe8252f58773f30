import type { Html, Scope } from "./scope.js";

/** What the words with notes open, in their order, and the notes in notes after them. */
export function notes(scope: Scope): Html {
  const drawn: Html[] = [];
  for (let at = 0; at < scope.notes.length; at += 1) {
    const { id, nodes } = scope.notes[at]!;
    drawn.push(
      <aside class="note" id={id} popover="auto">
        {scope.blocks(nodes)}
      </aside>,
    );
  }
  return drawn;
}
