import type { z } from "zod";
import { type Issue, issuesOf, messageOf, refuse, refuseAt } from "../errors.js";
import type { Operation } from "./routes.js";

type Convert = (value: string) => unknown;
type Field = { convert: Convert; list: boolean };

/** How the strings of a path or query become the values of an input: by its schema, strictly, and never by guess. */
export type Plan = Map<string, Field>;

const asNumber: Convert = (value) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value);
const asBoolean: Convert = (value) => (value === "true" ? true : value === "false" ? false : value);
const asIs: Convert = (value) => value;

interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
}
const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

function fieldOf(schema: z.ZodType): Field {
  const { type, innerType, in: input, element } = definitionOf(schema);
  if (innerType) return fieldOf(innerType);
  if (type === "pipe" && input) return fieldOf(input);
  if (type === "array" && element) return { ...fieldOf(element), list: true };
  if (type === "number") return { convert: asNumber, list: false };
  if (type === "boolean") return { convert: asBoolean, list: false };
  return { convert: asIs, list: false };
}

/** The plan of an operation; computed once, and it changes no schema. */
export function planOf({ input }: Operation): Plan {
  return new Map(
    Object.entries(input?.shape ?? {}).map(([name, schema]) => [name, fieldOf(schema as z.ZodType)]),
  );
}

/** What a request gives to an operation: each field from its own place, path, query or body, and from no other. */
export function inputOf(
  { operation, plan }: { operation: Operation; plan: Plan },
  params: Record<string, string>,
  search: string,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const input = body;
  for (const name of operation.query) delete input[name];
  if (search) readQuery(search, operation.query, plan, input);
  for (const name in params) input[name] = plan.get(name)?.convert(params[name]!);
  return input;
}

function readQuery(search: string, names: string[], plan: Plan, input: Record<string, unknown>) {
  if (search.includes("%")) checkEncoding(search);
  const query = new URLSearchParams(search);
  for (const name of names) {
    if (!query.has(name)) continue;
    const { convert, list } = plan.get(name)!;
    const values = query.getAll(name).map(convert);
    input[name] = list || values.length > 1 ? values : values[0];
  }
}

function checkEncoding(search: string) {
  try {
    decodeURIComponent(search);
  } catch {
    refuseAt("query", "is not valid percent-encoded UTF-8");
  }
}

/** Turns the issues of a flat input into issues that say where each value came from. */
export function refuseInput(error: z.ZodError, { query, hasBody }: Operation, params: object): never {
  const rest = hasBody ? "body" : "query";
  const issues: Issue[] = issuesOf(error).map(({ path, message }) => {
    const name = path.split(".")[0]!;
    const place = Object.hasOwn(params, name) ? "path" : query.includes(name) ? "query" : rest;
    return { path: [place, path].filter(Boolean).join("."), message };
  });
  refuse("BAD_REQUEST", messageOf(issues), { issues });
}
