import { isDeepStrictEqual } from "node:util";
import type { OpenAPIObject } from "trpc-to-openapi";

export type Json = Record<string, unknown>;

/**
 * The document without what zod writes and nobody needs: the bounds of a safe integer, the promise that a response will
 * never hold a new field, and the twin `XOutput` of a schema `X` that differs in nothing else.
 */
export function tidy(document: OpenAPIObject): OpenAPIObject {
  const clean = copy(document);
  const schemas = (clean.components?.schemas ?? {}) as Record<string, Json>;
  const renamed = twinsIn(schemas);
  for (const twin of renamed.keys()) delete schemas[nameIn(twin)];
  return copy(clean, renamed);
}

type Renamed = Map<unknown, string>;
const PATH = "#/components/schemas/";
const nameIn = (reference: unknown) => String(reference).slice(PATH.length);

/** The references of all outputs that are like their inputs, supposing that those they refer to are. */
function twinsIn(schemas: Record<string, Json>): Renamed {
  const twins: Renamed = new Map();
  for (const name in schemas) {
    const input = name.replace(/Output$/, "");
    if (input !== name && schemas[input]) twins.set(PATH + name, PATH + input);
  }
  for (let known = -1; known !== twins.size; ) {
    known = twins.size;
    for (const [output, input] of twins) {
      const [one, other] = [schemas[nameIn(output)], schemas[nameIn(input)]];
      if (!isDeepStrictEqual(copy(one, twins), copy(other, twins))) twins.delete(output);
    }
  }
  return twins;
}

function copy<T>(value: T, renamed?: Renamed): T {
  const text = JSON.stringify(value, (key, item) =>
    isNoise(key, item) ? undefined : (renamed?.get(item) ?? item),
  );
  return JSON.parse(text);
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "additionalProperties") return value === false;
  return (
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}
