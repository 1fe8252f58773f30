import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { operations } from "./operations.js";

/** An operation as the gateway routes it. */
export interface Route {
  method: string;
  path: string;
  service: string;
  operation: string;
  status: number;
  auth?: "none";
}

const file = resolve(import.meta.dirname, "../../gateway/routes.json");
export const routes: Route[] = JSON.parse(readFileSync(file, "utf8"));

/** Method and path below `/v1`, as the tables of the tests name an operation. */
export const nameOf = ({ method, path }: Route) => `${method} ${path.replace(/^\/v1/, "")}`;

/** The names in a path, in their order. */
export const parametersOf = ({ path }: Route) => [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name!);

/** What parameters name where one word stands for two things, besides what operations say of themselves. */
const NAMED: Record<string, Record<string, string>> = {
  "DELETE /user/tokens/{tokenId}": { tokenId: "ownTokenId" },
};

/** The names under which the ids for a path are kept, in their order. */
export function keysOf(route: Route): string[] {
  const isLink = route.operation.startsWith("linkInvites.");
  const named = { ...operations[nameOf(route)]?.named, ...NAMED[nameOf(route)], ...(isLink && LINK) };
  return parametersOf(route).map((name) => named[name as keyof typeof named] ?? name);
}

const LINK = { inviteId: "linkId" };

/** The path below `/v1` with a value in each place. */
export function pathWith(route: Route, values: string[]): string {
  let at = 0;
  return route.path
    .replace(/^\/v1/, "")
    .replaceAll(/\{\w+\*?\}/g, () => values[at++]!.split("/").map(encodeURIComponent).join("/"));
}
