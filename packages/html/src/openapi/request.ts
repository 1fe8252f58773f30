import { exampleOf, isPart, type Operation, type Part, partIn, partsIn, resolve, wordsIn } from "./schema.js";

/** An operation where it is sent to. */
export interface Given extends Operation {
  method: string;
  path: string;
  /** Where requests go, when the document says so. */
  server: string | undefined;
}

/** A body that an operation takes. */
export interface Body {
  type: string;
  schema: Part | undefined;
  /** What says more about it. */
  about: Part;
  example: unknown;
}

const MOST = 100;

/** The parameters of an operation, each once: its own before those of its path. */
export function parametersOf({ operation, references }: Operation): Part[] {
  const all = partsIn(operation, "parameters").map((one) => resolve(one, references));
  const byKey = new Map(all.map((one) => [`${String(one.in)} ${String(one.name)}`, one]));
  return [...byKey.values()].filter((one) => typeof one.name === "string").slice(0, MOST);
}

/** The body of an operation, as JSON where it takes that; in documents of version 2.0, the parameter that is one. */
export function bodyOf(shown: Operation): Body | undefined {
  const { operation, references } = shown;
  const about = resolve(partIn(operation, "requestBody"), references);
  const content = Object.entries(partIn(about, "content") ?? {});
  const [type, media] = content.find(([name]) => /json/i.test(name)) ?? content[0] ?? [];
  if (type !== undefined) {
    const part = isPart(media) ? media : {};
    const schema = partIn(part, "schema");
    return { type, schema, about, example: part.example ?? exampleOf(schema, references) };
  }
  const old = parametersOf(shown).find((one) => one.in === "body");
  const schema = partIn(old, "schema");
  return old && { type: "application/json", schema, about: old, example: exampleOf(schema, references) };
}

const LONGEST_EXAMPLE = 10_000;

/** The text of an example. */
export const exampleText = ({ example }: Body): string =>
  (typeof example === "string" ? example : (JSON.stringify(example, null, 2) ?? "")).slice(
    0,
    LONGEST_EXAMPLE,
  );

/** A request as a line for curl. */
export function sampleOf(given: Given): string {
  const { method, path, server = "" } = given;
  const query = parametersOf(given)
    .filter((one) => one.in === "query" && one.required === true)
    .map((one) => `${encodeURIComponent(wordsIn(one, "name") ?? "")}=…`);
  const url = server.replace(/\/+$/, "") + path + (query.length > 0 ? `?${query.join("&")}` : "");
  const body = bodyOf(given);
  const lines = [`curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted(url)}`];
  if (takesBearer(given)) lines.push(`  -H "Authorization: Bearer $TOKEN"`);
  if (body) lines.push(`  -H ${quoted(`Content-Type: ${body.type}`)}`, `  -d ${quoted(exampleText(body))}`);
  return lines.join(" \\\n");
}

/** Whether a request may carry a bearer token: unless the operation says that it takes nothing. */
export const takesBearer = ({ operation }: Operation): boolean =>
  !(Array.isArray(operation.security) && operation.security.length === 0);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
