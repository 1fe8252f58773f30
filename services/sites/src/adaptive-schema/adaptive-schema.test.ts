import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

async function newSite(spaces: string[] = []) {
  const api = await service.as({ acme: "admin" });
  const { id } = await api.sites.create({ organizationId: "acme", spaces });
  return { api, one: { organizationId: "acme", siteId: id } };
}

const jsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#" as const,
  type: "object" as const,
  properties: {
    zeta: { type: "boolean" as const, description: "Comes first." },
    plan: { type: "string" as const, enum: ["free", "pro"], description: "What is paid for." },
    unsigned: {
      type: "object" as const,
      description: "Unsigned claims of the site visitor." as const,
      properties: { lang: { type: "string" as const, description: "The language." } },
      additionalProperties: false as const,
    },
  },
  additionalProperties: false as const,
} as never;

test("GET …/adaptive-schema of a new site has no claims", async () => {
  const { api, one } = await newSite();
  const { createdAt } = await api.sites.get(one);
  expect(await api.adaptiveSchema.get(one)).toEqual({
    object: "site-adaptive-schema",
    jsonSchema: { type: "object", properties: {}, additionalProperties: false },
    updatedAt: createdAt,
  });
  expect(await api.adaptiveSchema.listTemplateConditions(one)).toEqual({ items: [] });
});

test("PUT …/adaptive-schema replaces the schema, which is returned as it was sent", async () => {
  const { api, one } = await newSite();
  const put = await api.adaptiveSchema.update({ ...one, jsonSchema });
  expect(put.jsonSchema).toEqual(jsonSchema);
  const reader = await service.as({ acme: "read" });
  expect(await reader.adaptiveSchema.get(one)).toEqual(put);
  expect(Object.keys((await reader.adaptiveSchema.get(one)).jsonSchema.properties)).toEqual([
    "zeta",
    "plan",
    "unsigned",
  ]);
  expect(await reader.adaptiveSchema.listTemplateConditions(one)).toEqual({
    items: [
      { description: "Comes first.", condition: "visitor.claims.zeta == true" },
      { description: "What is paid for.", condition: 'visitor.claims.plan == "free"' },
      { description: "What is paid for.", condition: 'visitor.claims.plan == "pro"' },
    ],
  });
  const empty = { type: "object" as const, properties: {}, additionalProperties: false as const };
  expect((await api.adaptiveSchema.update({ ...one, jsonSchema: empty })).jsonSchema).toEqual(empty);
  expect((await api.adaptiveSchema.listTemplateConditions(one)).items).toEqual([]);
});

test("PUT …/adaptive-schema over HTTP names every wrong place, and changes nothing", async () => {
  const { api, one } = await newSite();
  const before = await api.adaptiveSchema.get(one);
  const wrong = {
    type: "object",
    properties: { a: { type: "boolean" }, b: { type: "integer", description: "x" }, c: "text" },
    additionalProperties: true,
  };
  const refused = await api.adaptiveSchema
    .update({ ...one, jsonSchema: wrong as never })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "BAD_REQUEST" });
  const places = (refused as { cause: { issues: { path: string[] }[] } }).cause.issues.map(({ path }) =>
    path.join("."),
  );
  expect(places.sort()).toEqual([
    "jsonSchema.additionalProperties",
    "jsonSchema.properties.a.description",
    "jsonSchema.properties.b.type",
    "jsonSchema.properties.c",
  ]);
  expect(await api.adaptiveSchema.get(one)).toEqual(before);
});

test("…/adaptive-schema is for members, and its change for who may decide who sees the spaces", async () => {
  const { id: space } = service.content.space({ organization: "acme", title: "Closed", level: null });
  const { one } = await newSite([space]);
  for (const [roles, read, write] of [
    [{ acme: "create" }, undefined, "FORBIDDEN"],
    [{ acme: "review" }, undefined, "FORBIDDEN"],
    [{ acme: null }, "FORBIDDEN", "FORBIDDEN"],
    [{ beta: "admin" }, "NOT_FOUND", "NOT_FOUND"],
  ] as const) {
    const { adaptiveSchema } = await service.as(roles);
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        ({ code }: { code: string }) => code,
      );
    expect(await codeOf(adaptiveSchema.get(one))).toBe(read);
    expect(await codeOf(adaptiveSchema.listTemplateConditions(one))).toBe(read);
    expect(await codeOf(adaptiveSchema.update({ ...one, jsonSchema }))).toBe(write);
  }
  const admin = await service.as({ acme: "admin" });
  const unknown = { ...one, siteId: "site_x" };
  await expect(admin.adaptiveSchema.get(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(admin.adaptiveSchema.update({ ...unknown, jsonSchema })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("enabling adaptive content decides what conditions let through: it takes the right over the spaces", async () => {
  const { id: space } = service.content.space({ organization: "acme", title: "Closed", level: null });
  const { api, one } = await newSite([space]);
  const member = await service.as({ acme: "create" });
  await expect(member.sites.update({ ...one, adaptiveContent: { enabled: true } })).rejects.toMatchObject({
    details: { reason: "spaces_not_yours_to_show" },
  });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  await member.sites.update({ ...one, adaptiveContent: { enabled: true }, title: "Renamed" });
});

test("another schema, and adaptive content that is enabled or not, end what renderers read with until then", async () => {
  const { api, one } = await newSite();
  const epochs = async () =>
    (await service.emitted(SiteAudience)).filter(({ site }) => site === one.siteId).map(({ epoch }) => epoch);
  await api.adaptiveSchema.update({ ...one, jsonSchema });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  await api.sites.update({ ...one, adaptiveContent: { enabled: true } });
  await api.sites.update({ ...one, adaptiveContent: { enabled: false } });
  expect([...new Set(await epochs())]).toEqual([1, 2, 3]);
});
