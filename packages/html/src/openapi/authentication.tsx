import type { Html } from "../scope.js";
import type { Words } from "../words.js";
import { type Drawn, described } from "./fields.js";
import { type Scheme, schemesOf } from "./security.js";

/** How an operation is authorized: the schemes of the document, and which of them are needed together. */
export function authentication(security: Scheme[][], drawn: Drawn): Html {
  const schemes = schemesOf(security);
  const ways = security.map((way) => way.map(({ name }) => name).join(" + "));
  return [
    schemes.length > 1 && <p class="type">{ways.join(" | ")}</p>,
    <ul class="fields">
      {schemes.map((one) => (
        <li>
          {schemeLine(one, drawn.scope.page.words)}
          {described(one.about, drawn)}
        </li>
      ))}
    </ul>,
  ];
}

/** A scheme by its name, and what it takes. */
export const schemeLine = (scheme: Scheme, words: Words): Html => (
  <span class="field">
    <code>{scheme.name}</code>
    <span class="type">{typeOf(scheme, words)}</span>
  </span>
);

function typeOf({ kind, field, place }: Scheme, words: Words): string {
  if (kind === "bearer") return words.token;
  return kind === "basic" ? "Basic" : `${field} (${place})`;
}
