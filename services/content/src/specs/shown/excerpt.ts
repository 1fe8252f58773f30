import { entriesOf, fieldOf, isObject, type Json, type JsonObject } from "../../openapi-documents/json.js";
import { referencesIn, targetOf } from "../../openapi-documents/references.js";
import type { Named } from "./named.js";

/** Characters, and things referred to, that one operation takes along; what is behind them is shown by its name. */
const LONGEST = 200_000;
const MOST = 300;
const MOST_SERVERS = 5;
/** Ways to authorize an operation, and security schemes of one way. */
const MOST_WAYS = 5;

export interface Excerpt {
  servers: string[];
  /** Without fields where schemas alone are shown. */
  operation: JsonObject;
  references: Record<string, JsonObject>;
}

/** What a block shows of a document, with all that it refers to; undefined when the document has no such thing. */
export function excerptFor(document: JsonObject, named: Named): Excerpt | undefined {
  if (named.shows === "schemas") return schemasOf(document, named.names);
  const { method } = named;
  if (named.shows === "operation")
    return excerptOf(document, fieldOf(fieldOf(document, "paths"), named.path), method);
  const holders = ["webhooks", "x-webhooks"].map((one) => fieldOf(fieldOf(document, one), named.name));
  return excerptOf(document, holders.find(isObject), method);
}

/**
 * An operation of a path with how it is authorized and all that it refers to, at any depth, its security schemes as other
 * components are.
 */
function excerptOf(document: JsonObject, path: Json | undefined, method: string): Excerpt | undefined {
  const item = resolved(document, path);
  const operation = fieldOf(item, method);
  if (!isObject(operation)) return undefined;
  const own = listOf(fieldOf(operation, "parameters"));
  const shared = listOf(fieldOf(item, "parameters"));
  const security = fieldOf(operation, "security") ?? fieldOf(document, "security");
  const whole = {
    ...operation,
    parameters: [...shared, ...own],
    ...(security !== undefined && { security: listOf(security).slice(0, MOST_WAYS) }),
  };
  return {
    servers: serversOf(document, item, operation),
    operation: whole,
    references: taken(document, [...securityOf(whole), whole]),
  };
}

/** Schemas by their names, of version 3 and of version 2.0; undefined when there are none of them. */
function schemasOf(document: JsonObject, names: string[]): Excerpt | undefined {
  const named = names.flatMap((name) =>
    ["components/schemas", "definitions"].map((holder) => ({ $ref: `#/${holder}/${name}` })),
  );
  const references = taken(document, named);
  return Object.keys(references).length > 0 ? { servers: [], operation: {}, references } : undefined;
}

/** References to the security schemes that an operation names, for version 3 and for version 2.0. */
const securityOf = ({ security }: JsonObject): JsonObject[] =>
  listOf(security)
    .filter(isObject)
    .flatMap((way) => Object.keys(way).slice(0, MOST_WAYS))
    .flatMap((name) =>
      ["components/securitySchemes", "securityDefinitions"].map((holder) => ({
        $ref: `#/${holder}/${name}`,
      })),
    );

function taken(document: JsonObject, parts: JsonObject[]): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {};
  let length = 0;
  const open = [...parts];
  for (let next = open.shift(); next; next = open.shift()) {
    for (const { to } of referencesIn(next)) {
      if (Object.hasOwn(found, to) || !to.startsWith("#/") || Object.keys(found).length >= MOST) continue;
      const target = targetOf(document, to);
      if (!isObject(target)) continue;
      length += JSON.stringify(target).length;
      if (length > LONGEST) return found;
      Object.defineProperty(found, to, { value: target, enumerable: true });
      open.push(target);
    }
  }
  return found;
}

const resolved = (document: JsonObject, value: Json | undefined): Json | undefined => {
  const to = fieldOf(value, "$ref");
  return typeof to === "string" ? targetOf(document, to) : value;
};

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** Where requests go: the nearest list of servers counts; in documents of version 2.0, host and base path. */
function serversOf(document: JsonObject, item: Json | undefined, operation: JsonObject): string[] {
  const lists = [operation, item, document].map((one) => listOf(fieldOf(one, "servers")));
  const urls = (lists.find((list) => list.length > 0) ?? []).flatMap((server) => {
    const url = fieldOf(server, "url");
    return typeof url === "string" ? [withDefaults(url, server)] : [];
  });
  const host = fieldOf(document, "host");
  if (urls.length === 0 && typeof host === "string") {
    const base = fieldOf(document, "basePath");
    urls.push(`https://${host}${typeof base === "string" ? base : ""}`);
  }
  return urls.slice(0, MOST_SERVERS).map((url) => url.slice(0, 2_000));
}

function withDefaults(url: string, server: Json): string {
  const values = new Map(entriesOf(server, "variables").map(([name, of]) => [name, fieldOf(of, "default")]));
  return url.replace(/\{([^{}]+)\}/g, (whole, name) => {
    const value = values.get(name);
    return typeof value === "string" ? value : whole;
  });
}
