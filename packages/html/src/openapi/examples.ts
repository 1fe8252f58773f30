import { isObject, objectIn } from "../data.js";
import { alternatives, type Part, propertiesOf, type References, resolve } from "./schema.js";

/** Values that an example is made of at most: schemas may contain themselves, many times over. */
const MOST_VALUES = 500;
const MOST_FIELDS = 60;
/** Characters of an example that a schema gives itself which count as one value. */
const OF_VALUE = 20;

/** The example that a schema, a parameter or a media type gives itself; undefined where it gives none. */
export function givenExample(part: Part | undefined, references: References): unknown {
  if (part?.example !== undefined) return part.example;
  if (Array.isArray(part?.examples)) return part.examples[0];
  const [first] = Object.values(objectIn(part, "examples") ?? {});
  return isObject(first) ? resolve(first, references).value : undefined;
}

/** A plausible value of a schema, to begin a request with. */
export function exampleOf(schema: Part | undefined, references: References): unknown {
  let left = MOST_VALUES;

  function exampleAt(part: Part | undefined, depth: number): unknown {
    left -= 1;
    if (left < 0) return null;
    const at = resolve(part, references);
    const given = [givenExample(at, references), at.default, at.const].find((value) => value !== undefined);
    if (given !== undefined) return counted(given);
    if (Array.isArray(at.enum)) return counted(at.enum[0]);
    const [first] = alternatives(at);
    if (first) return depth > 6 ? null : exampleAt(first, depth + 1);
    const type = Array.isArray(at.type) ? at.type[0] : at.type;
    if (type === "array") return depth > 4 ? [] : [exampleAt(objectIn(at, "items"), depth + 1)];
    if (type === "object" || at.properties) {
      if (depth > 5) return {};
      const entries = propertiesOf(at, references, MOST_FIELDS);
      return Object.fromEntries(entries.map(([name, one]) => [name, exampleAt(one, depth + 1)]));
    }
    return scalar(at, type);
  }

  function counted(given: unknown): unknown {
    left -= Math.floor((JSON.stringify(given) ?? "").length / OF_VALUE);
    return given;
  }

  return exampleAt(schema, 0);
}

function scalar({ format, minimum }: Part, type: unknown): unknown {
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return typeof minimum === "number" ? minimum : 1;
  if (format === "date-time") return "2026-01-31T12:00:00Z";
  if (format === "date") return "2026-01-31";
  if (format === "uuid") return "3fa85f64-5717-4562-b3fc-2c963f66afa6";
  return type === "string" ? "text" : null;
}

const MAX_EXAMPLE_LENGTH = 10_000;
const MOST_TEXTS = 5;

/** The text of an example. */
export const exampleText = (example: unknown): string =>
  (typeof example === "string" ? example : (JSON.stringify(example, null, 2) ?? "")).slice(
    0,
    MAX_EXAMPLE_LENGTH,
  );

/** The values of an example that is sent as a field of a form or an address: those of a list each for itself. */
export const textsOf = (example: unknown): string[] =>
  (Array.isArray(example) ? example.slice(0, MOST_TEXTS) : [example])
    .filter((one) => one !== null && one !== undefined && one !== "")
    .map((one) => (typeof one === "string" ? one : (JSON.stringify(one) ?? "")).slice(0, MAX_EXAMPLE_LENGTH));
