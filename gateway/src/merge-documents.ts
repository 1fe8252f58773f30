import { isDeepStrictEqual } from "node:util";
import { yielding } from "@octavo/shared/workers/yield";

type Json = Record<string, unknown>;

export interface Document {
  openapi: string;
  info: Json;
  paths?: Record<string, Json>;
  components?: Record<string, Record<string, Json>>;
  tags?: { name: string; description?: string }[];
  [other: string]: unknown;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * One OpenAPI 3.1 document of several. A component that two documents describe alike is shared; described
 * differently, the later one is renamed after its service, with every reference to it. Operation ids become
 * unique in the same way. Changes the documents that it is given, and lets requests have their turn in between. Throws
 * when two documents describe the same operation.
 */
export async function mergeDocuments(info: Json, documents: Record<string, Document>): Promise<Document> {
  const paths: Record<string, Json> = {};
  const components: Record<string, Record<string, Json>> = {};
  const tags = new Map<string, { name: string; description?: string }>();
  const ids = new Set<string>();
  const giveWay = yielding();
  for (const [service, original] of Object.entries(documents)) {
    await giveWay();
    const document = withoutConflicts(service, original, components);
    for (const [kind, entries] of Object.entries(document.components ?? {})) {
      components[kind] = { ...components[kind], ...entries };
    }
    for (const tag of document.tags ?? []) tags.set(tag.name, { ...tags.get(tag.name), ...tag });
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      addPath(paths, path, item);
      for (const method of METHODS) {
        const operation = item[method] as { operationId?: string; tags?: string[] } | undefined;
        if (!operation) continue;
        operation.operationId = uniqueId(operation.operationId ?? `${method}-${path}`, service, ids);
        for (const name of operation.tags ?? []) if (!tags.has(name)) tags.set(name, { name });
      }
    }
  }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "/v1" }],
    security: [{ bearer: [] }],
    tags: [...tags.values()].sort((one, other) => one.name.localeCompare(other.name)),
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      ...components,
      securitySchemes: { ...components.securitySchemes, bearer: { type: "http", scheme: "bearer" } },
    },
  };
}

function addPath(paths: Record<string, Json>, path: string, item: Json) {
  const there = paths[path] ?? {};
  const twice = METHODS.find((method) => there[method] && item[method]);
  if (twice) throw new Error(`Two services describe ${twice.toUpperCase()} ${path}`);
  paths[path] = { ...there, ...item };
}

/** The document, in which no component has the name of another one that is there already. */
function withoutConflicts(
  service: string,
  document: Document,
  taken: Record<string, Record<string, Json>>,
): Document {
  const renamed = new Map<string, string>();
  for (const [kind, entries] of Object.entries(document.components ?? {})) {
    if (kind === "securitySchemes") continue;
    for (const [name, entry] of Object.entries(entries)) {
      const other = taken[kind]?.[name];
      if (other === undefined || isDeepStrictEqual(other, entry)) continue;
      let free = capitalized(service) + capitalized(name);
      while (taken[kind]?.[free] || entries[free]) free += "_";
      renamed.set(`#/components/${kind}/${name}`, `#/components/${kind}/${free}`);
    }
  }
  if (renamed.size === 0) return document;
  const copy = rewrite(document, renamed) as Document;
  for (const [from, to] of renamed) {
    const [, , kind, name] = from.split("/") as [string, string, string, string];
    const entries = copy.components![kind]!;
    entries[to.split("/")[3]!] = entries[name]!;
    delete entries[name];
  }
  return copy;
}

/** A deep copy with references replaced, those in discriminator mappings too. */
function rewrite(value: unknown, renamed: Map<string, string>): unknown {
  if (typeof value === "string") return renamed.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => rewrite(item, renamed));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, renamed)]));
}

function uniqueId(wanted: string, service: string, ids: Set<string>): string {
  let id = wanted;
  if (ids.has(id)) id = service + capitalized(wanted);
  for (let number = 2; ids.has(id); number++) id = `${service}${capitalized(wanted)}${number}`;
  ids.add(id);
  return id;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
