import { isObject, objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { exampleOf, exampleText, givenExample } from "./examples.js";
import { type Drawn, inside } from "./fields.js";
import { type Media, mediaOf } from "./media.js";
import { type Part, resolve, typeOf } from "./schema.js";

/** What a body or a response holds: its media types, the type of its schema, and the fields of that. */
export const content = ({ types, schema }: Media, drawn: Drawn): Html => [
  <p class="type">{[...types, ...(schema ? [typeOf(schema, drawn.references)] : [])].join(" · ")}</p>,
  inside(schema, drawn),
];

const MOST_RESPONSES = 20;
/** Characters of what a response is described with. */
const LONGEST_WORDS = 2_000;

/** The responses of an operation by their status, those that are as they should be opened. */
export function responses(operation: Part, drawn: Drawn): Html {
  const all = Object.entries(objectIn(operation, "responses") ?? {}).slice(0, MOST_RESPONSES);
  return all.map(([status, response]) => {
    const at = resolve(isObject(response) ? response : undefined, drawn.references);
    const media = mediaOf(at);
    // In documents of version 2.0 a response has one schema, whatever it is sent as.
    const old = objectIn(at, "schema");
    if (media.length === 0 && old) media.push({ types: [], schema: old, about: {} });
    const good = status.startsWith("2");
    return (
      <details class="response" open={good && media.some(({ schema }) => schema !== undefined)}>
        <summary>
          <b class={good ? "good" : "bad"}>{status}</b>
          <span>{inlineCode(textIn(at, "description") ?? "")}</span>
        </summary>
        {media.length > 0 && (
          <div>
            {media.map((one) => content(one, drawn))}
            {example(media[0]!, good, drawn)}
          </div>
        )}
      </details>
    );
  });
}

/** An example of a body or a response: its own, or one that is made of its schema where all goes well. */
export function example({ types, schema, about }: Media, good: boolean, { scope, references }: Drawn): Html {
  const isJson = types.length === 0 || /json/i.test(types[0]!);
  const value =
    givenExample(about, references) ?? (good && schema && isJson ? exampleOf(schema, references) : undefined);
  if (value === undefined || value === null) return undefined;
  const { words } = scope.page;
  return (
    <details class="nested">
      <summary>{words.example}</summary>
      {codeOf(exampleText(value), isJson ? "json" : "", words.example, scope)}
    </details>
  );
}

/** Words of one line, in which backticks mark code. */
const inlineCode = (text: string): Html =>
  text
    .slice(0, LONGEST_WORDS)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));

/** A text in a language that is drawn with its colors. */
export function codeOf(text: string, syntax: string, label: string, scope: Scope, more = {}): Html {
  const tokens = scope.highlight(text, syntax);
  return (
    <figure class="code" aria-label={label}>
      <pre tabIndex={0}>
        <code {...more}>
          {tokens ? tokens.map(({ text, kind }) => (kind ? <span class={kind}>{text}</span> : text)) : text}
        </code>
      </pre>
    </figure>
  );
}
