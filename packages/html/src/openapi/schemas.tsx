import type { Html, Scope } from "../scope.js";
import { type Drawn, described, drawnFrom, inside, limits } from "./fields.js";
import { type Operation, type Part, resolve, typeOf } from "./schema.js";

/** Fields of all schemas of a block. */
const MOST_FIELDS = 1_500;
/** Schemas that are drawn with all that lies in them; of more, only what they have themselves is. */
const FEW = 3;

/** Schemas of a specification by their names: together in one place, or each for itself. */
export function drawSchemas(
  names: string[],
  references: Operation["references"],
  grouped: boolean,
  scope: Scope,
): Html {
  const all = drawnFrom({ references }, scope);
  const drawn = { ...all, left: MOST_FIELDS, deepest: names.length > FEW ? 1 : all.deepest };
  const found = names.map((name) => ({ name, schema: schemaOf(name, references) }));
  if (grouped && names.length > 1)
    return (
      <article class="api">
        <div>{found.map(({ name, schema }) => entry(name, schema, drawn))}</div>
      </article>
    );
  return found.map(({ name, schema }) => (
    <article class="api">
      <header>
        <code>{name}</code>
      </header>
      {schema && <div>{whole(schema, drawn)}</div>}
    </article>
  ));
}

/** Where documents of version 3, and those of version 2.0, have their schemas. */
const HOLDERS = ["#/components/schemas/", "#/definitions/"];

/** A schema by its name; undefined where the document has none of that name. */
export function schemaOf(name: string, references: Operation["references"]): Part | undefined {
  const to = HOLDERS.map((one) => one + name).find((one) => Object.hasOwn(references, one));
  return to === undefined ? undefined : references[to];
}

function entry(name: string, schema: Part | undefined, drawn: Drawn): Html {
  if (!schema)
    return (
      <p>
        <code>{name}</code>
      </p>
    );
  return (
    <details class="nested">
      <summary>
        <code>{name}</code>
      </summary>
      <div>{whole(schema, drawn)}</div>
    </details>
  );
}

/** The type of a schema, what it is for, which values it may have, and its fields. */
function whole(schema: Part, drawn: Drawn): Html {
  const at = resolve(schema, drawn.references);
  return [
    <p class="type">{typeOf(at, drawn.references)}</p>,
    described(at, drawn),
    limits(at, undefined, drawn),
    inside(at, drawn),
  ];
}
