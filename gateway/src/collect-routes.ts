import * as content from "@octavo/content/router";
import * as integrations from "@octavo/integrations/router";
import * as orgs from "@octavo/orgs/router";
import { type RawDeclaration, type Route, routesOf } from "@octavo/shared/rest/routes";
import * as sites from "@octavo/sites/router";
import { SERVICE_NAMES, type UpstreamName } from "./config.js";
import { createRouteTable, type GatewayRoute } from "./routes.js";

/** A service's router, and the routes that it serves without a bearer. */
interface Declared {
  router: Parameters<typeof routesOf>[0];
  rawRoutes?: RawDeclaration[];
}

const declared: Record<UpstreamName, Declared> = { orgs, content, sites, integrations };

/** The routes of all services, in the order of the file. Throws when two of them claim the same requests. */
export function collectRoutes(): GatewayRoute[] {
  return arrange(
    Object.fromEntries(
      SERVICE_NAMES.map((service) => [
        service,
        routesOf(declared[service].router, declared[service].rawRoutes),
      ]),
    ),
  );
}

/** Sorts the routes by service, path and verb, and checks them. */
export function arrange(byService: Record<string, Route[]>): GatewayRoute[] {
  const routes = Object.entries(byService).flatMap(([service, own]) => {
    const placed = own.map((route) => ({
      ...route,
      path: `/v1${route.path}`,
      service: service as UpstreamName,
    }));
    checkNames(placed);
    return placed.sort((one, other) => compare(one.path, other.path) || compare(one.method, other.method));
  });
  const claims = new Map<string, GatewayRoute>();
  for (const route of routes) {
    const claim = `${route.method} ${shapeOf(route.path)}`;
    const other = claims.get(claim);
    if (other)
      throw new Error(`${other.service} and ${route.service} both claim ${route.method} ${route.path}`);
    claims.set(claim, route);
  }
  createRouteTable(routes);
  return routes;
}

/** The verbs of one path call its parameters by the same names: a service reads them by the path, not by the verb. */
function checkNames(routes: GatewayRoute[]) {
  const templates = new Map<string, string>();
  for (const { service, path } of routes) {
    const known = templates.get(shapeOf(path)) ?? path;
    if (known !== path)
      throw new Error(`${service} names the parameters of ${known} and ${path} differently`);
    templates.set(shapeOf(path), path);
  }
}

const shapeOf = (path: string) => path.replace(/\{\w+(\*?)\}/g, "{$1}");
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The file: one operation a line. */
export function formatRoutes(routes: GatewayRoute[]): string {
  const lines = routes.map(
    ({ method, path, service, operation, status, auth, form, anyType, limit, maxBody, deprecated }) =>
      JSON.stringify({
        method,
        path,
        service,
        operation,
        status,
        auth,
        form,
        anyType,
        limit,
        maxBody,
        deprecated,
      }),
  );
  return `[\n${lines.map((line) => `  ${line}`).join(",\n")}\n]\n`;
}
