import { createRestHandler } from "@octavo/shared/rest/handler";
import { openApiDocument } from "@octavo/shared/rest/openapi";
import { operationsOf, type RawDeclaration } from "@octavo/shared/rest/routes";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { router as content, rawRoutes as contentRaw } from "../../services/content/src/router.js";
import {
  router as integrations,
  rawRoutes as integrationsRaw,
} from "../../services/integrations/src/router.js";
import { router as orgs, rawRoutes as orgsRaw } from "../../services/orgs/src/router.js";
import { router as sites } from "../../services/sites/src/router.js";

interface Described {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

const raw: Record<string, RawDeclaration[]> = {
  orgs: orgsRaw,
  content: contentRaw,
  integrations: integrationsRaw,
};
const services = Object.entries({ orgs, content, sites, integrations }).map(([name, router]) => ({
  name,
  router,
  rawRoutes: raw[name] ?? [],
  document: openApiDocument(router, { title: name, version: "1.0.0", rawRoutes: raw[name] }),
}));
const METHODS = ["get", "post", "patch", "put", "delete"];
const operations = ({ document }: (typeof services)[number]) =>
  Object.entries(document.paths as unknown as Record<string, Record<string, Described>>).flatMap(
    ([path, item]) => METHODS.flatMap((method) => (item[method] ? { method, path, ...item[method] } : [])),
  );

test.each(services)(
  "the document of $name is valid OpenAPI 3.1, its references lead somewhere",
  async (service) => {
    const { errors } = await new Validator().validate(JSON.parse(JSON.stringify(service.document)));
    expect(errors ?? []).toEqual([]);
    const text = JSON.stringify(service.document);
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const components = service.document.components as Record<string, Record<string, object>>;
      expect(components[kind!], name).toHaveProperty([name!]);
    }
  },
);

test.each(services)("the document of $name and what it serves are the same operations", (service) => {
  const start = () =>
    createRestHandler({
      router: service.router,
      prefix: "/v1",
      requestIdOf: () => "",
      context: () => Promise.reject(new Error("unused")),
      onFailure: () => undefined,
    });
  expect(start).not.toThrow();
  const described = operations(service).map(
    ({ method, path, responses }) => `${method.toUpperCase()} ${path} ${Object.keys(responses)[0]}`,
  );
  const served = operationsOf(service.router).map(
    ({ method, path, status }) => `${method} ${path.replace("*}", "}")} ${status}`,
  );
  const open = service.rawRoutes.map(
    ({ method, path, openapi }) => `${method} ${path.replace("*}", "}")} ${openapi.status ?? 200}`,
  );
  expect(described.sort()).toEqual([...served, ...open].sort());
});

test.each(services)("the parameters of $name are read from the place that its document names", (service) => {
  for (const operation of operationsOf(service.router)) {
    const path = operation.path.replace("*}", "}");
    const described = operations(service).find(
      (other) => other.path === path && other.method === operation.method.toLowerCase(),
    )!;
    const inQuery = (described.parameters ?? []).filter((parameter) => parameter.in === "query");
    expect(inQuery.map(({ name }) => name).sort(), operation.name).toEqual([...operation.query].sort());
  }
});

test("no two operations of the platform have one operationId, path or procedure", () => {
  const all = services.flatMap((service) => operations(service));
  const ids = all.map(({ operationId }) => operationId);
  const paths = all.map(({ method, path }) => `${method} ${path}`);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
});

test("every operation has a name that was chosen for it", () => {
  const unnamed = services.flatMap((service) =>
    operations(service).filter(({ operationId }) => !/^[a-z][a-zA-Z0-9]+$/.test(operationId)),
  );
  expect(unnamed.map(({ operationId }) => operationId)).toEqual([]);
});

test("every operation has a summary of its own in one line", () => {
  const all = services.flatMap((service) => operations(service));
  const summaries = all.map(({ summary = "" }) => summary);
  const silent = all.filter(({ summary = "" }) => !/^[A-Z].{5,90}[^.]$/.test(summary));
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([]);
});

test.each(services)("every response of $name is a schema with a name", (service) => {
  const inlined = operations(service).flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .flatMap(([, { content = {} }]) => content["application/json"] ?? [])
      .filter(({ schema }) => !schema.$ref)
      .map(() => operationId),
  );
  expect(inlined).toEqual([]);
});
