import type { Html, Scope } from "../scope.js";

/** A diagram by its source in Mermaid, which says what is in it also where nothing draws it. */
export const diagram = (source: string, { page }: Scope): Html => (
  <figure class="diagram" aria-label={page.words.diagram} style={`--room:${roomFor(source)}rem`}>
    <pre tabIndex={0}>
      <code>{source}</code>
    </pre>
  </figure>
);

/** About how high a drawing is, in rem: only a browser knows it better, and what it draws is fitted into this much. */
function roomFor(source: string): number {
  const lines = source.split("\n").filter((line) => line.trim() !== "" && !/^\s*%%/.test(line));
  const first = lines[0] ?? "";
  if (/^\s*(?:graph|flowchart)\s+(?:LR|RL)\b/.test(first)) return clamp(lines.length * 2, 7);
  if (/^\s*sequenceDiagram\b/.test(first)) return clamp(8 + lines.length * 2.5, 12);
  return clamp(lines.length * 5, 7);
}

const HIGHEST = 26;
const clamp = (height: number, least: number): number => Math.min(HIGHEST, Math.max(least, height));
