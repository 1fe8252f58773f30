import { entriesOf, fieldOf, isObject, type Json, type JsonObject } from "../openapi-documents/json.js";
import { followed } from "../openapi-documents/references.js";

export interface Operation {
  path: string;
  method: string;
  summary?: string;
  description?: string;
}

/** The operations of a tag. */
export interface Tag {
  name: string;
  description?: string;
  operations: Operation[];
}

/** What pages are made of, of a document. */
export interface Outline {
  title?: string;
  description?: string;
  tags: Tag[];
  models: string[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const MOST_OPERATIONS = 2_000;
const MOST_MODELS = 500;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 20_000;

/**
 * Lists the operations of a document by their tags, in the order in which it declares these, with those that it does not
 * declare and then what has none behind them. An operation is under its first tag.
 */
export function outlineOf(document: JsonObject): Outline {
  const declared = listOf(fieldOf(document, "tags")).flatMap((tag) => {
    const name = words(tag, "name");
    return name ? [{ name, description: text(tag), operations: [] as Operation[] }] : [];
  });
  const tags = new Map<string, Tag>();
  for (const tag of declared) if (!tags.has(tag.name)) tags.set(tag.name, tag);
  const title = words(fieldOf(document, "info"), "title");
  const other: Tag = { name: "Other", operations: [] };
  for (const { tag, ...operation } of operationsOf(document)) {
    const of = tag === undefined ? other : (tags.get(tag) ?? { name: tag, operations: [] });
    if (tag !== undefined) tags.set(tag, of);
    of.operations.push(operation);
  }
  if (tags.size === 0) other.name = title ?? "Operations";
  const listed = [...tags.values(), other].filter(({ operations }) => operations.length > 0);
  return { title, description: text(fieldOf(document, "info")), tags: listed, models: modelsOf(document) };
}

function operationsOf(document: JsonObject): (Operation & { tag?: string })[] {
  const found: (Operation & { tag?: string })[] = [];
  for (const [path, value] of entriesOf(document, "paths")) {
    const item = followed(document, value);
    for (const method of METHODS) {
      const operation = fieldOf(item, method);
      if (!isObject(operation)) continue;
      if (found.length === MOST_OPERATIONS) return found;
      const [tag] = listOf(fieldOf(operation, "tags"));
      const named = typeof tag === "string" && tag.trim() ? tag.trim().slice(0, LONGEST_TITLE) : undefined;
      found.push({
        path,
        method,
        summary: words(operation, "summary"),
        description: text(operation),
        tag: named,
      });
    }
  }
  return found;
}

/** The schemas of a document; those of version 2.0 are definitions. */
function modelsOf(document: JsonObject): string[] {
  const components = entriesOf(fieldOf(document, "components"), "schemas");
  const schemas = components.length > 0 ? components : entriesOf(document, "definitions");
  return schemas.slice(0, MOST_MODELS).map(([name]) => name);
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function words(of: Json | undefined, name: string): string | undefined {
  const value = fieldOf(of, name);
  const line = typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
  return line === "" ? undefined : line.slice(0, LONGEST_TITLE);
}

function text(of: Json | undefined): string | undefined {
  const value = fieldOf(of, "description");
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, LONGEST_TEXT) : undefined;
}
