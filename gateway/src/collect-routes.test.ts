import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { arrange, collectRoutes, formatRoutes } from "./collect-routes.js";
import { createRouteTable, ROUTES_FILE, readRoutes } from "./routes.js";

const operation = (method: string, path: string) => ({ method, path, operation: "a.b", status: 200 });

test("routes.json is what the routers declare", () => {
  expect(readFileSync(ROUTES_FILE, "utf8")).toBe(formatRoutes(collectRoutes()));
});

test("every route of the file is found at its own path", () => {
  const routes = readRoutes();
  const table = createRouteTable(routes);
  for (const route of routes) {
    const path = route.path.replace(/\{\w+\*?\}/g, "x1");
    expect(table.match(route.method, path).route, `${route.method} ${route.path}`).toMatchObject(route);
  }
});

test("what sends a browser elsewhere has the status of that", () => {
  const statuses = readRoutes().flatMap(({ operation, status }) =>
    status >= 300 ? `${operation} ${status}` : [],
  );
  expect(statuses).toEqual(["sso.consume 303", "sso.start 302"]);
});

test("two services that claim one route are refused, whatever they call its parameters", () => {
  const byService = { orgs: [operation("GET", "/a/{one}")], content: [operation("GET", "/a/{two}")] };
  expect(() => arrange(byService)).toThrow("orgs and content both claim GET /v1/a/{two}");
});

test("a service that names the parameters of one path differently by verb is refused", () => {
  expect(() => arrange({ orgs: [operation("GET", "/a/{one}"), operation("PATCH", "/a/{two}")] })).toThrow(
    "differently",
  );
});

test("a literal beside a parameter is no clash", () => {
  const routes = arrange({ orgs: [operation("GET", "/a/{one}"), operation("GET", "/a/latest")] });
  expect(routes.map(({ path }) => path)).toEqual(["/v1/a/latest", "/v1/a/{one}"]);
});
