import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pngOf, publication, startIntegrations } from "../testing/integrations.js";
import { secretOf } from "./manifest-row.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add({ hostname: "acme-docs" });
});
afterAll(() => home.end());

const rows = (name: string) =>
  home.db.selectFrom("integration").selectAll().where("name", "=", name).execute();
const path = ({ integrationName }: { integrationName: string }) => `/integrations/${integrationName}`;

test("POST /integrations/{integrationName} publishes, then updates, the version growing by one", async () => {
  const { send } = await home.as({ [acme]: "create" });
  const input = publication({
    organization: acme,
    secrets: { CLIENT_SECRET: "hunter2" },
    visibility: "public",
  });
  const first = await send("POST", path(input), input);
  expect(first).toMatchObject({
    status: 200,
    body: {
      object: "integration",
      name: input.integrationName,
      version: 1,
      title: "Diagrams",
      visibility: "public",
      target: "all",
      verified: false,
      categories: [],
      externalLinks: [],
      previewImages: [],
      owner: { object: "organization", id: acme, hostname: "acme-docs" },
      urls: {
        location: `http://octavo.test/v1/integrations/${input.integrationName}`,
        publicEndpoint: `http://octavo.test/v1/integrations/${input.integrationName}/public`,
      },
      permissions: { admin: true },
    },
  });
  const { visibility, ...next } = { ...input, title: "Better diagrams", script: "2" };
  const second = await send("POST", path(input), next);
  expect(second).toMatchObject({ status: 200, body: { version: 2, title: "Better diagrams", visibility } });
  const [row] = await rows(input.integrationName);
  const script = await home.db.selectFrom("script").selectAll().where("integration", "=", row!.id).execute();
  expect(script).toEqual([{ integration: row!.id, runtime: "v2", source: "2" }]);
  const published = ["integration.published", { integration: input.integrationName, organization: acme }];
  expect(await home.emitted(row!.id)).toEqual([published, published]);
});

test("POST /integrations/{integrationName} seals the secrets and shows them nowhere", async () => {
  const { call, send } = await home.as({ [acme]: "admin" });
  const input = publication({ organization: acme, secrets: { KEY: "hunter2" } });
  const shown = JSON.stringify([
    await send("POST", path(input), input),
    await call.integrations.get({ integrationName: input.integrationName }),
  ]);
  const [row] = await rows(input.integrationName);
  const outbox = await home.db.selectFrom("outbox").select("body").where("aggregate", "=", row!.id).execute();
  expect(shown + JSON.stringify(row) + JSON.stringify(outbox)).not.toContain("hunter2");
  expect(JSON.parse(home.vault.open(row!.secrets, secretOf("secrets", row!)))).toEqual({ KEY: "hunter2" });
});

test("POST /integrations/{integrationName} takes the subdomain of an organization of the caller", async () => {
  const { call } = await home.as({ [acme]: "create" });
  const published = await call.integrations.publish(publication({ organization: "Acme-Docs" }));
  expect(published).toMatchObject({ owner: { id: acme }, visibility: "private" });
});

test("POST /integrations/{integrationName} for an unknown or foreign organization is 404, below create 403", async () => {
  const stranger = home.orgs.add({ hostname: "stranger" });
  const cases = [
    { roles: { [acme]: "admin" as const }, organization: newId(), code: "NOT_FOUND" },
    { roles: { [acme]: "admin" as const }, organization: stranger, code: "NOT_FOUND" },
    { roles: { [acme]: "admin" as const }, organization: "stranger", code: "NOT_FOUND" },
    { roles: { [acme]: "review" as const }, organization: acme, code: "FORBIDDEN" },
    { roles: { [acme]: null }, organization: "acme-docs", code: "FORBIDDEN" },
  ];
  for (const { roles, organization, code } of cases) {
    const { call } = await home.as(roles);
    const input = publication({ organization });
    await expect(call.integrations.publish(input)).rejects.toMatchObject({ code });
    expect(await rows(input.integrationName)).toEqual([]);
  }
});

test("POST /integrations/{integrationName} of a name that another organization owns is 403", async () => {
  const rival = home.orgs.add();
  const input = publication({ organization: acme });
  await (await home.as({ [acme]: "create" })).call.integrations.publish(input);
  const { call } = await home.as({ [rival]: "admin" });
  const theft = call.integrations.publish({ ...input, organization: rival, title: "Stolen" });
  await expect(theft).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await rows(input.integrationName)).toMatchObject([
    { organization: acme, title: "Diagrams", version: 1 },
  ]);
});

test("POST /integrations/{integrationName} twenty times at once makes twenty versions of one integration", async () => {
  const { call } = await home.as({ [acme]: "create" });
  const input = publication({ organization: acme });
  const all = await Promise.all(Array.from({ length: 20 }, () => call.integrations.publish(input)));
  expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual(all.map((_, at) => at + 1));
});

test("POST /integrations/{integrationName} with bad input is 400 with all issues, and nothing is written", async () => {
  const { send } = await home.as({ [acme]: "admin" });
  const input = {
    ...publication({ organization: acme }),
    title: "x",
    description: "d".repeat(101),
    visibility: "secret",
    scopes: ["space:content:read", "everything"],
    externalLinks: Array.from({ length: 6 }, () => ({ url: "https://example.com", label: "x" })),
    blocks: [{ id: "b", title: "B" }],
    configurations: { account: { properties: { key: { type: "colour" } } } },
    icon: Buffer.from("<svg/>").toString("base64"),
    previewImages: [pngOf(2 * 1024 * 1024), "%not base64%"],
    script: "",
    secrets: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`S${at}`, ""])),
  };
  const { status, body } = await send("POST", path(input), input);
  expect(status).toBe(400);
  const paths = body.error.issues.map((issue: { path: string }) => issue.path);
  for (const name of [
    "title",
    "description",
    "visibility",
    "scopes.1",
    "externalLinks",
    "blocks.0.title",
    "icon",
    "previewImages.0",
    "previewImages.1",
    "script",
    "secrets",
  ]) {
    expect(paths).toContain(`body.${name}`);
  }
  expect(paths.some((path: string) => path.startsWith("body.configurations.account"))).toBe(true);
  expect(await rows(input.integrationName)).toEqual([]);
  expect((await send("POST", "/integrations/no%20spaces", input)).status).toBe(400);
});

test("POST /integrations/{integrationName} takes a script of 5 MiB, not one byte more", async () => {
  const { send } = await home.as({ [acme]: "create" });
  const input = publication({ organization: acme, script: "\n".repeat(5 * 1024 * 1024) });
  expect((await send("POST", path(input), input)).status).toBe(200);
  expect(await send("POST", path(input), { ...input, script: `${input.script}\n` })).toMatchObject({
    status: 400,
    body: { error: { issues: [{ path: "body.script" }] } },
  });
  const tooLarge = await send("POST", path(input), { ...input, script: "x".repeat(17 * 1024 * 1024) });
  expect(tooLarge.status).toBe(413);
});

test("POST /integrations/{integrationName} keeps its pictures, which are served without a token", async () => {
  const { send } = await home.as({ [acme]: "create" });
  const icon = pngOf(200);
  const input = publication({ organization: acme, icon, previewImages: [pngOf(300), pngOf(400)] });
  const { body } = await send("POST", path(input), input);
  expect(body.previewImages).toHaveLength(2);
  const served = await fetch(body.urls.icon.replace("http://octavo.test", home.address));
  expect(served.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await served.arrayBuffer()).toString("base64")).toBe(icon);
  const { body: bare } = await send("POST", path(input), { ...input, icon: undefined, previewImages: [] });
  expect(bare).toMatchObject({ previewImages: [], urls: { assets: body.urls.assets } });
  expect(bare.urls.icon).toBeUndefined();
  expect((await fetch(body.urls.icon.replace("http://octavo.test", home.address))).status).toBe(404);
});

test("POST /integrations/{integrationName} takes pictures up to their bounds, and publishes nothing with a larger one", async () => {
  const { send } = await home.as({ [acme]: "create" });
  const [most, mostOfPreview] = [250 * 1024, 1024 * 1024];
  const previewImages = Array.from({ length: 3 }, () => pngOf(mostOfPreview));
  const input = publication({ organization: acme, icon: pngOf(most), previewImages });
  const { status, body } = await send("POST", path(input), input);
  expect([status, body.version, body.previewImages.length]).toEqual([200, 1, 3]);
  const assets = async () => {
    const [{ id } = { id: "" }] = await rows(input.integrationName);
    const query = home.db.selectFrom("asset").select("name").where("integration", "=", id);
    return (await query.orderBy("name").execute()).map(({ name }) => name);
  };
  const kept = await assets();
  expect(kept).toHaveLength(4);
  for (const [given, place] of [
    [{ icon: pngOf(most + 1) }, "icon"],
    [{ previewImages: [pngOf(mostOfPreview), pngOf(mostOfPreview + 1)] }, "previewImages.1"],
    [{ previewImages: Array.from({ length: 4 }, () => pngOf(300)) }, "previewImages"],
  ] as const) {
    const refused = await send("POST", path(input), { ...input, ...given });
    expect(refused.status).toBe(400);
    expect(refused.body.error.issues).toMatchObject([{ path: `body.${place}` }]);
  }
  expect(await rows(input.integrationName)).toMatchObject([{ version: 1 }]);
  expect(await assets()).toEqual(kept);
});

test("POST /integrations/{integrationName} returns what it was given, unchanged", async () => {
  const { call } = await home.as({ [acme]: "create" });
  const given = {
    summary: "Long text",
    categories: ["content" as const],
    blocks: [{ id: "diagram", title: "Diagram", markdown: { codeblock: "mermaid", body: "content" } }],
    contentSources: [{ id: "s", title: "Source", configuration: { componentId: "c" } }],
    externalLinks: [{ label: "Help", url: "mailto:help@example.com" }],
    configurations: { account: { componentId: "account" }, site: { properties: {}, required: [] } },
    contentSecurityPolicy: { "script-src": "https://cdn.example.com", "frame-src": "'none'" },
  };
  const input = publication({ organization: acme, ...given });
  const shown = await call.integrations.publish(input);
  expect(shown).toMatchObject(given);
});

test("POST /integrations/{integrationName} refuses a script that does not parse, with the place, and publishes nothing", async () => {
  const organization = home.orgs.add();
  const { send } = await home.as({ [organization]: "create" });
  for (const [runtime, script] of [
    ["v2", "\n\nexport default { fetch( {"],
    ["v1", "\n\nlet = = 1;"],
  ] as const) {
    const input = publication({ organization, runtime, script });
    const path = `/integrations/${input.integrationName}`;
    const { status, body } = await send("POST", path, input);
    expect(status).toBe(400);
    expect(body.error.issues).toEqual([
      { path: "body.script", message: expect.stringMatching(/^does not parse: line 3: SyntaxError: /) },
    ]);
    expect((await send("GET", path)).status).toBe(404);
  }
});
