import { objectIn, textIn } from "../data.js";
import type { Html, Scope } from "../scope.js";
import { givenExample } from "./examples.js";
import {
  alternatives,
  type Operation,
  type Part,
  propertiesOf,
  type References,
  referencesOf,
  resolve,
  typeOf,
} from "./schema.js";

/** Fields that one operation shows; schemas may contain themselves, and be large. */
const MOST_FIELDS = 400;
const MAX_DEPTH = 5;
/** Lists and alternatives that may lie in each other without a field between them. */
const MOST_WRAPPED = 5;
/** Characters of a description that is read as markdown, and of all of them in one operation. */
const LONGEST_WORDS = 8_000;
const MOST_WORDS = 60_000;
const LONGEST_NAME = 200;

/** Where the parts of one operation are drawn. */
export interface Drawn {
  scope: Scope;
  references: References;
  /** How many fields, and characters of descriptions, may still be drawn. */
  left: number;
  words: number;
  /** How deep fields may lie in each other. */
  deepest: number;
}

/** Where an operation begins to be drawn, or whatever else has references. */
export const drawnFrom = (shown: Pick<Operation, "references">, scope: Scope): Drawn => ({
  scope,
  references: referencesOf(shown),
  left: MOST_FIELDS,
  words: MOST_WORDS,
  deepest: MAX_DEPTH,
});

/** A description in markdown, where the page reads that; longer ones than anybody reads are shown as they are written. */
export function described(part: Part | undefined, drawn: Drawn): Html {
  const { scope } = drawn;
  const text = textIn(part, "description")?.trim().slice(0, drawn.words);
  if (!text) return undefined;
  drawn.words -= text.length;
  const { read } = scope.page;
  if (!read || text.length > LONGEST_WORDS || !/[`*_[\]#<>|{}\n-]/.test(text)) return <p>{text}</p>;
  return scope.blocks(read(text).nodes);
}

interface Field {
  name: string;
  schema: Part | undefined;
  required: boolean;
  /** What says more about it than its schema: a parameter. */
  about?: Part;
}

/** A list of fields: name, type, what it is for, which values it may have, and what lies in it. */
export const fieldList = (fields: Field[], drawn: Drawn, depth = 0): Html => (
  <ul class="fields">{fields.map((one) => field(one, drawn, depth))}</ul>
);

function field({ name, schema, required, about }: Field, drawn: Drawn, depth: number): Html {
  if (drawn.left <= 0) return undefined;
  drawn.left -= 1;
  const { words } = drawn.scope.page;
  const at = resolve(schema, drawn.references);
  const deprecated = about?.deprecated === true || at.deprecated === true;
  return (
    <li>
      <div class="field">
        <code>{name.slice(0, LONGEST_NAME)}</code>
        <span class="type">{typeOf(schema, drawn.references)}</span>
        {required && <span class="required">{words.required}</span>}
        {deprecated && <span class="deprecated">{words.deprecated}</span>}
      </div>
      {described(textIn(about, "description") === undefined ? at : about, drawn)}
      {limits(at, about, drawn)}
      {inside(schema, drawn, depth + 1)}
    </li>
  );
}

/**
 * The fields of an object, of the items of a list or of alternatives; opened where they lie deeper. `wrapped` is the
 * number of lists and alternatives since the last field.
 */
export function inside(schema: Part | undefined, drawn: Drawn, depth = 0, wrapped = 0): Html {
  if (depth > drawn.deepest || wrapped > MOST_WRAPPED || drawn.left <= 0) return undefined;
  const at = resolve(schema, drawn.references);
  const properties = propertiesOf(at, drawn.references, drawn.left);
  if (properties.length > 0) {
    const required = Array.isArray(at.required) ? at.required : [];
    const fields = properties.map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
    const list = fieldList(fields, drawn, depth);
    if (depth === 0) return list;
    return (
      <details class="nested">
        <summary>{drawn.scope.page.words.fields}</summary>
        <div>{list}</div>
      </details>
    );
  }
  const items = objectIn(at, "items") ?? objectIn(at, "additionalProperties");
  if (items) return inside(items, drawn, depth, wrapped + 1);
  const some = alternatives(at).slice(0, 12);
  if (some.length === 1) return inside(some[0], drawn, depth, wrapped + 1);
  const listed = some.flatMap((one) => {
    const content = inside(one, drawn, Math.max(1, depth), wrapped + 1);
    return content === undefined ? [] : [<p class="type">{typeOf(one, drawn.references)}</p>, content];
  });
  return listed.length > 0 ? listed : undefined;
}

const MOST_VALUES = 40;

/** The values that a schema may have, its default, an example and its bounds. */
export function limits(schema: Part, about: Part | undefined, { scope, references }: Drawn): Html {
  const { words } = scope.page;
  const leaf = schema.type === "array" ? resolve(objectIn(schema, "items"), references) : schema;
  const values = Array.isArray(leaf.enum) ? leaf.enum.slice(0, MOST_VALUES) : [];
  const byDefault = schema.default;
  const bounds = boundsOf(schema);
  const example = [about, schema].map((one) => givenExample(one, references)).find(isScalar);
  const hasExample = example !== undefined && example !== byDefault && !values.includes(example);
  if (values.length === 0 && byDefault === undefined && bounds.length === 0 && !hasExample) return undefined;
  const code = (value: unknown) => <code>{textOf(value)}</code>;
  const parts: Html[] = [
    ...(values.length > 0 ? [[`${words.values}:`, values.map((value) => [" ", code(value)])]] : []),
    ...(byDefault === undefined ? [] : [[`${words.byDefault}: `, code(byDefault)]]),
    ...(hasExample ? [[`${words.example}: `, code(example)]] : []),
    ...bounds.map(([name, value]) => (
      <span class="bound">
        {name} {code(value)}
      </span>
    )),
  ];
  return <p class="limits">{parts.map((part, index) => [index > 0 && " · ", part])}</p>;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const BOUNDS = [
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];
/** What generators write where nobody set a bound: numbers that are not exact any more, and "no character is NUL". */
const UNBOUNDED = "^[^\\0]*$";

/** The bounds of a value, by the names that they have in every language. */
function boundsOf(schema: Part): [string, string | number][] {
  return BOUNDS.flatMap((name): [string, string | number][] => {
    const value = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const isNumber = typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    const isPattern = name === "pattern" && typeof value === "string" && value !== UNBOUNDED;
    return isNumber || isPattern ? [[name, value as string | number]] : [];
  });
}

const textOf = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 300);
