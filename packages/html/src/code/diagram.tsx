import type { Html, Scope } from "../scope.js";

/** A diagram by its source in Mermaid, which says what is in it also where nothing draws it. */
export const diagram = (source: string, { page }: Scope): Html => (
  <figure class="diagram" aria-label={page.words.diagram}>
    <pre tabIndex={0}>
      <code>{source}</code>
    </pre>
  </figure>
);
