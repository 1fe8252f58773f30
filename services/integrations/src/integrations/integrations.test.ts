import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let rival: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
  const { call } = await home.as({ [acme]: "create", [rival]: "create" });
  const block = (id: string, urlUnfurl: string[]) => ({ id, title: "Block", urlUnfurl });
  const visibility = "public" as const;
  const catalogue = [
    {
      integrationName: "Mermaid",
      blocks: [block("m", ["https://mermaid.live/**"])],
      target: "space" as const,
    },
    {
      integrationName: "figma",
      blocks: [block("f", ["https://*.figma.com/file/**"])],
      categories: ["content" as const],
    },
    { integrationName: "plausible", scopes: ["site:script:inject" as const], target: "site" as const },
    {
      integrationName: "rss",
      organization: rival,
      contentSources: [{ id: "r", title: "Feed", configuration: { componentId: "c" } }],
    },
    { integrationName: "hidden", visibility: "private" as const },
    { integrationName: "by-link", visibility: "unlisted" as const },
  ];
  for (const over of catalogue) {
    await call.integrations.publish(publication({ organization: acme, visibility, ...over }));
  }
});
afterAll(() => home.end());

async function names(query = "") {
  const { send } = await home.as({});
  const { status, body } = await send("GET", `/integrations${query}`);
  expect(status).toBe(200);
  return body.items.map(({ name }: { name: string }) => name);
}

test("GET /integrations lists the public ones in the order of their names", async () => {
  expect((await names()).sort()).toEqual(["Mermaid", "figma", "plausible", "rss"]);
});

test("GET /integrations filters by every filter of the interface", async () => {
  expect(await names("?search=MERM")).toEqual(["Mermaid"]);
  expect(await names("?search=%25")).toEqual([]);
  expect(await names("?category=content")).toEqual(["figma"]);
  expect(await names("?blockDomain=mermaid.live")).toEqual(["Mermaid"]);
  expect(await names("?blockDomain=www.figma.com")).toEqual(["figma"]);
  expect(await names("?blockDomain=figma.com.evil.org")).toEqual([]);
  expect((await names("?blocks=true")).sort()).toEqual(["Mermaid", "figma"]);
  expect((await names("?blocks=false")).sort()).toEqual(["plausible", "rss"]);
  expect(await names("?contentSources=true")).toEqual(["rss"]);
  expect(await names(`?owner=${rival}`)).toEqual(["rss"]);
  expect(await names("?scope=site:script:inject")).toEqual(["plausible"]);
  expect(await names("?target=space")).toEqual(["Mermaid"]);
  expect(await names(`?target=all&owner=${acme}&blocks=true`)).toEqual(["figma"]);
});

test("GET /integrations pages without a gap, and calls orgs once for the owners of a page", async () => {
  const { send } = await home.as({});
  const seen: string[] = [];
  home.orgs.asked.length = 0;
  for (let page = ""; ; ) {
    const { body } = await send("GET", `/integrations?limit=3${page}`);
    expect(body.count).toBe(4);
    seen.push(...body.items.map(({ name }: { name: string }) => name));
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen.sort()).toEqual(["Mermaid", "figma", "plausible", "rss"]);
  expect(home.orgs.asked.map(({ caller }) => caller.kind)).toEqual(["user", "user"]);
});

test("GET /integrations with unknown values, a broken cursor or limit=1001 is 400 with all issues", async () => {
  const { send } = await home.as({});
  const { status, body } = await send(
    "GET",
    "/integrations?limit=1001&blocks=yes&category=x&scope=y&target=z&blockDomain=a/b",
  );
  expect(status).toBe(400);
  const paths = body.error.issues.map(({ path }: { path: string }) => path).sort();
  expect(paths).toEqual(
    ["blockDomain", "blocks", "category", "limit", "scope", "target"].map((name) => `query.${name}`),
  );
  expect((await send("GET", "/integrations?page=nonsense")).status).toBe(400);
});

test("GET /integrations/{integrationName} is for everybody, of a private one for its organization's members", async () => {
  const [member, guest, stranger] = [
    await home.as({ [acme]: "read" }),
    await home.as({ [acme]: null }),
    await home.as({ [rival]: "admin" }),
  ];
  expect((await stranger.send("GET", "/integrations/by-link")).body).toMatchObject({
    visibility: "unlisted",
    permissions: { admin: false },
  });
  expect((await member.send("GET", "/integrations/hidden")).body).toMatchObject({ owner: { id: acme } });
  for (const { send } of [guest, stranger])
    expect((await send("GET", "/integrations/hidden")).status).toBe(404);
  expect((await member.send("GET", `/integrations/${newId()}`)).status).toBe(404);
});

test("DELETE /integrations/{integrationName} removes it, frees the name, and is 204 again", async () => {
  const { call, send } = await home.as({ [acme]: "create" });
  const input = publication({ organization: acme });
  await call.integrations.publish(input);
  const path = `/integrations/${input.integrationName}`;
  expect((await send("DELETE", path)).status).toBe(204);
  expect((await send("DELETE", path)).status).toBe(204);
  expect((await send("GET", path)).status).toBe(404);
  expect(
    await home.db.selectFrom("integration").select("id").where("name", "=", input.integrationName).execute(),
  ).toEqual([]);
  const other = await home.as({ [rival]: "create" });
  expect(await other.call.integrations.publish({ ...input, organization: rival })).toMatchObject({
    version: 1,
  });
});

test("DELETE /integrations/{integrationName} by others is 403, of a private one like of none, and it stays", async () => {
  const [member, stranger] = [await home.as({ [acme]: "review" }), await home.as({ [rival]: "admin" })];
  expect((await member.send("DELETE", "/integrations/hidden")).status).toBe(403);
  expect((await stranger.send("DELETE", "/integrations/hidden")).status).toBe(204);
  expect((await member.send("GET", "/integrations/hidden")).status).toBe(200);
  expect((await stranger.send("DELETE", "/integrations/figma")).status).toBe(403);
  expect(await names("?search=figma")).toEqual(["figma"]);
});
