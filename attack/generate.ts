import type { Random } from "./random.js";

/** As much of JSON Schema as the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  maxLength?: number;
  maxItems?: number;
  definitions?: Record<string, Schema>;
}

export interface Source {
  random: Random;
  /** Ids that lead somewhere. */
  ids: string[];
  definitions: Record<string, Schema>;
}

/** Share of the values that do not follow their schema. */
const STRAY = 0.08;
const DEEPEST = 8;

/** A value of the schema, or here and there one that is not. */
export function generateValue(source: Source, schema: Schema, depth = 0): unknown {
  const { random, definitions } = source;
  if (depth > DEEPEST) return null;
  if (random.chance(STRAY)) return strayValue(source, depth);
  if (schema.$ref) return generateValue(source, definitions[schema.$ref.split("/").at(-1)!] ?? {}, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return generateValue(source, random.pick(choices), depth);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => generateValue(source, part, depth + 1)));
  switch (schema.type) {
    case "object":
      return objectOf(source, schema, depth);
    case "array": {
      const length = random.chance(0.05) ? (schema.maxItems ?? 50) + 1 : random.below(4);
      return Array.from({ length }, () => generateValue(source, schema.items ?? {}, depth + 1));
    }
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return random.pick([0, 1, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308]);
    case "null":
      return null;
    default:
      return textOf(source, schema.maxLength);
  }
}

function objectOf(
  source: Source,
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
) {
  const { random } = source;
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (random.chance(required.includes(name) ? 0.98 : 0.4))
      value[name] = generateValue(source, property, depth + 1);
  }
  if (typeof additionalProperties === "object" && random.chance(0.5)) {
    value[textOf(source)] = generateValue(source, additionalProperties, depth + 1);
  }
  if (random.chance(0.05)) value[hostileText(random)] = strayValue(source, depth);
  return value;
}

function textOf({ random, ids }: Source, maxLength = 100): string {
  if (random.chance(0.5)) return random.pick(ids);
  if (random.chance(0.05)) return "x".repeat(Math.min(maxLength, 100_000) + random.below(2));
  return random.chance(0.5) ? random.pick(WORDS) : hostileText(random);
}

const WORDS = [
  "words",
  "https://example.com/",
  "http://127.0.0.1:9/x",
  "2026-01-01T00:00:00.000Z",
  "refs/heads/main",
];

/** A value of any type, at any place. */
function strayValue(source: Source, depth: number): unknown {
  const { random } = source;
  const list = () => Array.from({ length: random.below(5) }, () => strayValue(source, depth + 1));
  return random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick([0, -0, 1e-7, 2 ** 53 + 2]),
    () => hostileText(random),
    () => textOf(source),
    () => (depth > DEEPEST ? [] : list()),
    () => (depth > DEEPEST ? {} : Object.fromEntries(list().map((value) => [hostileText(random), value]))),
  ])();
}

const PIECES = [
  "\0",
  "\u202e",
  "\ud800",
  "\udfff\ud83d",
  "\ufeff",
  "\r\n",
  "\t",
  " ",
  "",
  "💥",
  "ß",
  "İ",
  "e\u0301",
  "../",
  "..\\",
  "%2e%2e%2f",
  "%00",
  "//",
  "/",
  "\\",
  ".",
  "~",
  "?",
  "#",
  "&",
  "=",
  ";",
  ":",
  "'",
  '"',
  "`",
  "$(id)",
  "{{x}}",
  "{% x %}",
  "<script>",
  "<!--",
  "]]>",
  "'; select 1; --",
  "%s%n",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "-1",
  "0x10",
  "1e9",
  "true",
  "*",
  "**",
  "[",
  "](",
  "![",
  "|",
  "> ",
  "# ",
  "---\n",
  "```",
  "javascript:alert(1)",
  "file:///etc/passwd",
];

/** Text of pieces that mean something to somebody on the way. */
export function hostileText(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(PIECES)).join("");
}
