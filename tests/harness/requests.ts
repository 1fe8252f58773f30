import { operations } from "./operations.js";
import type { Ids, Permission } from "./permissions.js";

/** A request of an operation that its service understands: the path with these ids, and the body that the tables know. */
export function requestOf(
  { method, path }: { method: string; path: string },
  { body, query }: Pick<Permission, "body" | "query">,
  ids: Ids,
): [path: string, body: object | undefined] {
  const below = path.replace(/^\/v1/, "");
  const { good = {}, named = {} } = operations[`${method} ${below}`] ?? {};
  const filled = below.replace(/\{(\w+)\*?\}/g, (_, name: string) =>
    (ids[named[name] ?? name] ?? "unknown").split("/").map(encodeURIComponent).join("/"),
  );
  const writes = method !== "GET" && method !== "DELETE";
  const search = typeof query === "function" ? query(ids) : query;
  return [search ? `${filled}?${search}` : filled, writes ? { ...good, ...body?.(ids) } : undefined];
}
