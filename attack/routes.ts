import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Furniture } from "../tests/harness/furnish.js";
import { type Operation, operations } from "../tests/harness/operations.js";

/** A line of the gateway's table, with what is known of its body. */
export interface Route {
  method: string;
  /** Below `/v1`. */
  path: string;
  auth?: "none";
  service: string;
  /** Method and path. */
  name: string;
  params: string[];
  writes: boolean;
  operation: Operation;
}

const file = resolve(import.meta.dirname, "../gateway/routes.json");
const lines: Pick<Route, "method" | "path" | "auth" | "service">[] = JSON.parse(readFileSync(file, "utf8"));

/** Every operation that the gateway routes. */
export const routes: Route[] = lines.map((line) => {
  const path = line.path.replace(/^\/v1/, "");
  const name = `${line.method} ${path}`;
  return {
    ...line,
    path,
    name,
    params: [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, param]) => param!),
    writes: line.method !== "GET" && line.method !== "DELETE",
    operation: operations[name] ?? {},
  };
});

/** The path of a route with an id for each of its parameters. */
export function pathOf(route: Route, idOf: (name: keyof Furniture) => string): string {
  const { named = {} } = route.operation;
  return route.path.replace(/\{(\w+)\*?\}/g, (_, name: keyof Furniture) =>
    idOf(named[name] ?? name)
      .split("/")
      .map(encodeURIComponent)
      .join("/"),
  );
}
