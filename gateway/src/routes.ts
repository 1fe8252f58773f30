import { readFileSync } from "node:fs";
import { refuse } from "@octavo/shared/errors";
import type { Route } from "@octavo/shared/rest/routes";
import { createTrie } from "@octavo/shared/rest/trie";
import type { UpstreamName } from "./config.js";
import { canonicalPath, checkEncodedSlash } from "./paths.js";

/** One line of routes.json; `path` begins with /v1, `{name*}` takes the rest of a path. */
export interface GatewayRoute extends Route {
  service: UpstreamName;
}

export interface RouteTable {
  /** The route of a request target; 400, 404 or 405 if there is none. For OPTIONS the verbs alone. */
  match(method: string, target: string): { route?: GatewayRoute; allow: string };
}

export const ROUTES_FILE = new URL("../routes.json", import.meta.url);

export function readRoutes(file: URL = ROUTES_FILE): GatewayRoute[] {
  return JSON.parse(readFileSync(file, "utf8")) as GatewayRoute[];
}

/** Throws when two routes claim the same method and path. */
export function createRouteTable(routes: readonly GatewayRoute[]): RouteTable {
  const trie = createTrie<GatewayRoute>();
  for (const route of routes) trie.add(route.path, route.method, route);
  const verbs = new WeakMap<Map<string, GatewayRoute>, string>();

  function allowOf(methods: Map<string, GatewayRoute>): string {
    let allow = verbs.get(methods);
    if (!allow) {
      allow = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
      verbs.set(methods, allow);
    }
    return allow;
  }

  function find(path: string) {
    try {
      return trie.match(path) ?? refuse("NOT_FOUND", "Path: not found");
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      refuse("BAD_REQUEST", "Path: is not valid percent-encoded UTF-8", { reason: "invalid_path" });
    }
  }

  function match(method: string, target: string) {
    const path = canonicalPath(target);
    const { methods } = find(path);
    const allow = allowOf(methods);
    const route = methods.get(method === "HEAD" ? "GET" : method);
    if (!route && method !== "OPTIONS") {
      refuse("METHOD_NOT_SUPPORTED", `Method: ${method} is not supported here`, { headers: { allow } });
    }
    if (route) checkEncodedSlash(path, route.path);
    return { route, allow };
  }

  return { match };
}
