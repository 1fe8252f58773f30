import type { Furniture } from "../tests/harness/furnish.js";
import { type Attack, inParallel, type Party, type Target } from "./attack.js";
import { generateValue, hostileText, type Schema } from "./generate.js";
import type { Random } from "./random.js";
import { pathOf, type Route, routes } from "./routes.js";

const FULL = 10_000;
const SHORT = 600;
/** What was deleted or given away by accident is there again with the next party. */
const INPUTS_PER_PARTY = 500;

/** Requests that are put together at random from what the operations document of themselves. */
export const generated: Attack = {
  name: "generated",
  claim: "every request gets a response, and every refusal has the shape of one",
  async run(target, trial) {
    const schemas = await bodySchemas(target.stack.base);
    const total = target.full ? FULL : SHORT;
    for (let done = 0; done < total; done += INPUTS_PER_PARTY) {
      const party = await target.newParty("Generated");
      const count = Math.min(INPUTS_PER_PARTY, total - done);
      const inputs = Array.from({ length: count }, () => randomRequest(target, party, schemas));
      await inParallel(inputs, ({ method, path, headers, body }) => {
        const sent = party.call.send(method, path, headers, body);
        return trial.expect(
          `${method} ${path.slice(0, 300)} ${body?.slice(0, 300) ?? ""}`,
          sent,
          ({ status, body }) =>
            status < 400 || (body?.error as { code?: number } | undefined)?.code === status || !!body?.status,
        );
      });
    }
  },
};

type Schemas = Map<string, Schema>;

/** The schema of every body, by method and path, with the document's own references. */
async function bodySchemas(base: string): Promise<Schemas> {
  interface Document {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
    components: { schemas: Record<string, Schema> };
  }
  const document = (await (await fetch(`${base}/v1/openapi.json`)).json()) as Document;
  const schemas: Schemas = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(item)) {
      const schema = requestBody?.content["application/json"]?.schema;
      const name = `${method.toUpperCase()} ${path.replace(/^\/v1/, "")}`;
      if (schema) schemas.set(name, { ...schema, definitions: document.components.schemas });
    }
  }
  return schemas;
}

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

function randomRequest(target: Target, party: Party, schemas: Schemas): Request {
  const { random } = target;
  const route = random.pick(routes);
  const id = (name: keyof Furniture) => idOf(random, target, party, route, name);
  const path = `${pathOf(route, id)}${queryOf(random, route, party)}`;
  if (!route.writes) return { method: route.method, path, headers: headersOf(random) };
  const schema = schemas.get(route.name.replaceAll("*}", "}")) ?? {};
  const ids = Object.values(party.things);
  const value = generateValue({ random, ids, definitions: schema.definitions ?? {} }, schema);
  let body = JSON.stringify(value) ?? "";
  if (random.chance(0.03)) body = body.slice(0, random.below(body.length + 1));
  const type = random.chance(0.97) ? "application/json" : random.pick(TYPES);
  return { method: route.method, path, headers: { ...headersOf(random), "content-type": type }, body };
}

function idOf(random: Random, { victim }: Target, party: Party, route: Route, name: keyof Furniture): string {
  // What all that follows needs is deleted seldom.
  if (route.method === "DELETE" && random.chance(0.9)) return "unknown";
  if (random.chance(0.85)) return party.things[name];
  if (random.chance(0.3)) return victim.things[name];
  if (random.chance(0.5)) return random.pick(Object.values(party.things));
  // A path is UTF-8, and an empty place would make another one.
  return Buffer.from(hostileText(random)).toString() || "-";
}

function queryOf(random: Random, { operation, params }: Route, party: Party): string {
  const fields = [...Object.keys(operation.query ?? {}), ...(operation.paged ? ["page", "limit"] : [])];
  const query = new URLSearchParams();
  for (const field of [...fields, ...params]) {
    if (!random.chance(0.3)) continue;
    const values = [...(operation.query?.[field] ?? []), "1", "true", "50", ...Object.values(party.things)];
    query.append(field, random.chance(0.7) ? random.pick(values) : hostileText(random));
    if (random.chance(0.05)) query.append(field, "again");
  }
  return query.size > 0 ? `?${query}` : "";
}

const TYPES = [
  "text/plain",
  "application/json; charset=utf-7",
  "multipart/form-data",
  "application/xml",
  "x",
];

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.05)) headers["if-none-match"] = random.pick(["*", '"x"', 'W/"', "x".repeat(4_000)]);
  if (random.chance(0.05)) headers.accept = random.pick(["text/html", "application/problem+json", "*/*;q=x"]);
  if (random.chance(0.05)) headers.traceparent = random.pick(["00-0-0-00", "x".repeat(500)]);
  if (random.chance(0.05)) headers["x-request-id"] = random.pick(["x".repeat(2_000), "a b", "-"]);
  if (random.chance(0.05)) headers["x-octavo-identity"] = "eyJhbGciOiJub25lIn0.e30.";
  if (random.chance(0.03)) headers.range = "bytes=0-,5-1,-1";
  return headers;
}
