import type { JSONDocument } from "@octavo/markdown/document/nodes";

/** The specification that a block names, or the file of the space that holds it. */
interface Holder {
  spec?: string;
  file?: string;
}

/** What the blocks of a page show of a specification: of its schemas, those that all blocks name. */
export type Named = Holder &
  (
    | { shows: "operation"; path: string; method: string }
    | { shows: "webhook"; name: string; method: string }
    | { shows: "schemas"; names: string[] }
  );

/** Schemas of one specification that a page shows at most. */
const MOST_SCHEMAS = 300;

/** What the blocks of a document name, in their order and each once. */
export function namedIn(document: JSONDocument): Named[] {
  const found = new Map<string, Named>();
  const open: unknown[] = [document.nodes];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { type, data } = next as { type?: unknown; data?: Record<string, unknown> };
    const named = data && namedBy(type, data);
    if (named) add(found, named);
    for (const inner of Object.values(next).reverse())
      if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  return [...found.values()];
}

function add(found: Map<string, Named>, named: Named): void {
  if (named.shows !== "schemas") {
    found.set(JSON.stringify(named), named);
    return;
  }
  const key = JSON.stringify({ ...named, names: undefined });
  const before = found.get(key);
  const names = before?.shows === "schemas" ? [...before.names, ...named.names] : named.names;
  found.set(key, { ...named, names: [...new Set(names)].slice(0, MOST_SCHEMAS) });
}

function namedBy(
  type: unknown,
  { ref, path, name, method, schemas }: Record<string, unknown>,
): Named | undefined {
  const of = holderOf((ref ?? {}) as Record<string, unknown>);
  if (!of) return undefined;
  if (type === "openapi-schemas" && Array.isArray(schemas)) {
    const names = schemas.filter((one) => typeof one === "string").map((one) => one.trim());
    return { ...of, shows: "schemas", names };
  }
  if (typeof method !== "string") return undefined;
  const verb = method.toLowerCase();
  if (type === "openapi-webhook" && typeof name === "string")
    return { ...of, shows: "webhook", name, method: verb };
  if ((type === "openapi-operation" || type === "swagger") && typeof path === "string")
    return { ...of, shows: "operation", path, method: verb };
  return undefined;
}

function holderOf({ kind, spec, file }: Record<string, unknown>): Holder | undefined {
  if (typeof spec === "string") return { spec };
  return kind === "file" && typeof file === "string" ? { file } : undefined;
}
