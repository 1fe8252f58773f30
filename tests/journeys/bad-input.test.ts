import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiResponse, type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { type Furniture, furnish } from "../harness/furnish.js";
import { expectSettled } from "../harness/ledger.js";
import { compressedBlock } from "../harness/operations/integrations.js";
import { type Operation, operations } from "../harness/operations.js";
import { register } from "../harness/people.js";
import { type Stack, startStack } from "../harness/stack.js";

interface Route {
  method: string;
  path: string;
  auth?: "none";
}

const file = resolve(import.meta.dirname, "../../gateway/routes.json");
const routes: Route[] = JSON.parse(readFileSync(file, "utf8"));
const nameOf = ({ method, path }: Route) => `${method} ${path.replace(/^\/v1/, "")}`;
const table = routes.flatMap((route): [string, Route, Operation][] => {
  const operation = operations[nameOf(route)];
  return operation ? [[nameOf(route), route, operation]] : [];
});

let stack: Stack;
let database: Database;
let call: Client;
let stranger: Client;
let furniture: Furniture;
let before: Record<string, string>;

beforeAll(async () => {
  stack = await startStack();
  database = openDatabase(stack);
  call = createClient(stack);
  furniture = await furnish(call);
  stranger = call.as((await register(stack, "Stranger")).token);
  await stranger("GET", "/user");
  before = await dumpAtRest();
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

/** What is stored once nothing moves any more, looked at ten times: an event may be on its way between two services. */
async function dumpAtRest() {
  let last = await database.dump();
  let unchanged = 0;
  return eventually(async () => {
    await expectSettled(database);
    const now = await database.dump();
    unchanged = isDeepStrictEqual(now, last) ? unchanged + 1 : 0;
    last = now;
    return unchanged < 10 ? undefined : now;
  });
}

const paramsOf = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name as keyof Furniture);
const writes = ({ method }: Route) => method !== "GET" && method !== "DELETE";
const UNKNOWN = "unknown0000000000000000";

/** The path of a route with the ids of what is there, but for those that are given. */
function pathOf(route: Route, over: Partial<Furniture> = {}) {
  const { named = {} } = operations[nameOf(route)] ?? {};
  return nameOf(route)
    .split(" ")[1]!
    .replace(/\{(\w+)\*?\}/g, (_, name: keyof Furniture) =>
      (over[name] ?? furniture[named[name] ?? name]).split("/").map(encodeURIComponent).join("/"),
    );
}

/** The body that a write needs to be understood. */
const bodyOf = (route: Route, { good = {} }: Operation) => (writes(route) ? good : undefined);

interface Case {
  what: string;
  response: Promise<ApiResponse>;
  statuses: number[];
  /** Each of them begins the path of some issue. */
  issues?: string[];
}

/** What went otherwise than it should, in words. */
async function wrong(cases: Case[]): Promise<string[]> {
  const found: string[] = [];
  for (const { what, response, statuses, issues = [] } of cases) {
    const { status, body } = await response;
    const error = body?.error as { code?: number; message?: string; issues?: { path: string }[] } | undefined;
    if (!statuses.includes(status)) found.push(`${what}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`);
    else if (status >= 400 && (error?.code !== status || !error.message))
      found.push(`${what}: not in the error's shape`);
    const missing = issues.filter((path) => !error?.issues?.some((issue) => issue.path.startsWith(path)));
    if (statuses.includes(status) && missing.length > 0) {
      found.push(`${what}: no issue for ${missing} in ${JSON.stringify(body)?.slice(0, 300)}`);
    }
  }
  return found;
}

test("the table covers every operation that the gateway routes, and no other", () => {
  expect(routes.map(nameOf).toSorted()).toEqual(Object.keys(operations).toSorted());
});

test.each(table.filter(([, { auth }]) => auth !== "none"))(
  "%s without a token is 401",
  async (_, route, operation) => {
    const response = await call.as(undefined)(route.method, pathOf(route), bodyOf(route, operation));
    expect(response).toMatchObject({ status: 401, body: { error: { code: 401 } } });
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  },
);

/** Refuses whoever has not the secret of a space in the same way, whatever space it is and whatever they send. */
const SIGNED = "POST /spaces/{spaceId}/git/webhook";

test.each(table.filter(([name, route]) => paramsOf(route).length > 0 && name !== SIGNED))(
  "%s of what is not there is 404",
  async (_, route, operation) => {
    const names = paramsOf(route).filter((name) => name !== operation.creates);
    const cases = names.map((name) => ({
      what: `unknown ${name}`,
      response: call(
        route.method,
        withQuery(pathOf(route, { [name]: UNKNOWN }), operation),
        bodyOf(route, operation),
      ),
      statuses: route.method === "DELETE" ? [204, 404] : [404],
    }));
    expect(await wrong(cases)).toEqual([]);
  },
);

/** A search needs words to search for, a redirect what it leads from, an embed an address, and a component its request. */
const neededBy = ({ query }: Operation): Record<string, string> => ({
  ...(query?.query && { query: "x" }),
  ...(query?.source && { source: "/x" }),
  ...(query?.url && { url: "http://127.0.0.1:9/" }),
  ...(query?.request && { request: compressedBlock("x") }),
});
const withQuery = (path: string, operation: Operation) =>
  `${path}?${new URLSearchParams(neededBy(operation))}`;

test(`${SIGNED} without a right signature is 403 for every space and every body`, async () => {
  const route = table.find(([name]) => name === SIGNED)![1];
  const cases = [pathOf(route), pathOf(route, { spaceId: UNKNOWN })].flatMap((path) =>
    ["{}", "[]", '{"a":', "\u0000"].map((body) => ({
      what: `${path} ${body}`,
      response: call.send(
        route.method,
        path,
        { "content-type": "application/json", "x-hub-signature-256": "sha256=00" },
        body,
      ),
      statuses: [403],
    })),
  );
  expect(await wrong(cases)).toEqual([]);
});

test.each(
  table.filter(([, route, { open }]) => paramsOf(route).length > 0 && route.auth !== "none" && !open),
)("%s of another organization's is as if it were not there", async (_, route, operation) => {
  const path = withQuery(pathOf(route), operation);
  const body = operation.good?.organization
    ? { ...operation.good, organization: furniture.organizationId }
    : bodyOf(route, operation);
  // The journey of removals holds each DELETE to one of the two.
  const statuses = route.method === "DELETE" ? [204, 404] : [404];
  const response = stranger(route.method, path, body);
  expect(await wrong([{ what: "a stranger", response, statuses }])).toEqual([]);
});

test.each(table.filter(([name, route, { form, raw }]) => writes(route) && !form && !raw && name !== SIGNED))(
  "%s with a body that is no JSON object is 400, of another type 415",
  async (_, route) => {
    const path = pathOf(route);
    const send = (type: string, body: string) =>
      call.send(route.method, path, { "content-type": type }, body);
    const malformed = ['{"a":', "[]", "null", '"x"', "\u0000", '{"a":1}}'].map((body) => ({
      what: JSON.stringify(body),
      response: send("application/json", body),
      statuses: [400],
      issues: ["body"],
    }));
    const others = ["text/plain", "application/x-www-form-urlencoded", "application/xml"].map((type) => ({
      what: type,
      response: send(type, "{}"),
      statuses: [415],
    }));
    expect(await wrong([...malformed, ...others])).toEqual([]);
  },
);

test.each(table.filter(([, , { body }]) => Object.keys(body ?? {}).length > 0))(
  "%s with wrong types, unknown words and too long texts is 400 with all issues",
  async (_, route, { body: fields = {}, good = {} }) => {
    const path = pathOf(route);
    const single = Object.entries(fields).flatMap(([field, values]) =>
      values.map((value) => ({
        what: `${field}: ${JSON.stringify(value)?.slice(0, 60)}`,
        response: call(route.method, path, { ...good, [field]: value }),
        statuses: [400],
        issues: [`body.${field}`],
      })),
    );
    const together = {
      what: "all fields at once",
      response: call(
        route.method,
        path,
        Object.fromEntries(Object.entries(fields).map(([key, [value]]) => [key, value])),
      ),
      statuses: [400],
      issues: Object.keys(fields).map((field) => `body.${field}`),
    };
    const absent = Object.keys(good).map((field) => ({
      what: `without ${field}`,
      response: call(route.method, path, { ...good, [field]: undefined }),
      statuses: [400],
      issues: [`body.${field}`],
    }));
    expect(await wrong([...single, together, ...absent])).toEqual([]);
  },
);

const PAGING = {
  limit: ["1001", "-1", "x", "1.5", "1e2", ""],
  page: ["broken", "eyJhIjoxfQ", "x".repeat(1001)],
};

test.each(table.filter(([, , { query, paged }]) => query || paged))(
  "%s with a query that is out of bounds is 400 with its issues",
  async (_, route, operation) => {
    const { query, paged, good } = operation;
    const search = neededBy(operation);
    const fields = Object.entries({ ...query, ...(paged && PAGING) });
    const cases = fields.flatMap(([field, values]) =>
      values.map((value) => ({
        what: `${field}=${value.slice(0, 60)}`,
        response: call(
          route.method,
          `${pathOf(route)}?${new URLSearchParams({ ...search, [field]: value })}`,
          writes(route) ? good : undefined,
        ),
        statuses: [400],
        issues: [`query.${field}`],
      })),
    );
    expect(await wrong(cases)).toEqual([]);
  },
);

test("and nothing of all that was written", async () => {
  expect(await database.dump()).toEqual(before);
});
