import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { z } from "zod";
import { type Issue, issuesOf, messageOf, Refusal, refuse, refuseAt } from "../errors.js";
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
export async function readInput(
  req: IncomingMessage,
  { operation, plan }: { operation: Operation; plan: Plan },
  params: Record<string, string>,
  search: string,
  limit: number,
): Promise<Record<string, unknown>> {
  const input = operation.hasBody ? await readBody(req, limit) : {};
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

/** Reads a JSON object from the body; an absent body is `{}`. Answers 400, 413 and 415. */
export async function readBody(req: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  if (Number(req.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBytes(req, limit);
  if (bytes.length === 0) return {};
  checkMedia(req.headers);
  return parse(bytes);
}

/** Reads the fields of a form that a browser posts, percent-encoded. Answers 400, 413 and 415. */
export async function readForm(req: IncomingMessage, limit: number): Promise<URLSearchParams> {
  if (Number(req.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const bytes = await readBytes(req, limit);
  checkMedia({ ...req.headers, "content-type": req.headers["content-type"] ?? "none" }, FORM);
  try {
    return new URLSearchParams(utf8.decode(bytes));
  } catch {
    refuseAt("body", "is not valid UTF-8");
  }
}

/** What is beyond the limit is read and dropped: a client that still writes would not see an answer otherwise. */
function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return chunks.push(chunk);
      chunks.length = 0;
      reject(tooLarge(limit));
    });
    req.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.once("error", (cause) => reject(new Refusal("BAD_REQUEST", "body: ended too early", { cause })));
  });
}

const JSON_MEDIA = { name: "application/json", pattern: /^\s*application\/json\s*(;.*)?$/i };
const FORM = {
  name: "application/x-www-form-urlencoded",
  pattern: /^\s*application\/x-www-form-urlencoded\s*(;.*)?$/i,
};
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8|us-ascii)/i;

function checkMedia(
  { "content-type": type, "content-encoding": encoding = "identity" }: IncomingHttpHeaders,
  { name, pattern } = JSON_MEDIA,
) {
  if (type !== undefined && (!pattern.test(type) || OTHER_CHARSET.test(type)))
    refuse("UNSUPPORTED_MEDIA_TYPE", `Content-Type: expected ${name}, not ${type.slice(0, 100)}`);
  if (encoding.toLowerCase() !== "identity")
    refuse("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding: a body has to be sent as it is");
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    refuseAt("body", "is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuseAt("body", "expected an object");
  if (bytes.length > DEEPEST && isDeeper(value, DEEPEST))
    refuseAt("body", `is nested deeper than ${DEEPEST} levels`);
  return value as Record<string, unknown>;
}

/** Deeper values would overflow the stack of whoever walks them. */
const DEEPEST = 256;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

const tooLarge = (limit: number) => new Refusal("PAYLOAD_TOO_LARGE", `body: larger than ${limit} bytes`);

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
