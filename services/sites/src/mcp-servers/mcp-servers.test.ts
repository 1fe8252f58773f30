import { AuditRecorded } from "@octavo/shared/contracts/events/audit";
import { describe } from "@octavo/shared/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testSites } from "../testing/sites.js";
import { openHeaders } from "./headers.js";
import { MASK } from "./schema.js";

let service: Awaited<ReturnType<typeof testSites>>;
beforeAll(async () => {
  service = await testSites();
});
afterAll(() => service.end());

const server = {
  name: "Tickets",
  url: "https://mcp.example.com/sse",
  headers: { Authorization: "Bearer very-secret", "X-Team": "docs" },
};

async function newSite() {
  const api = await service.as({ acme: "create" });
  const { id: siteId } = await api.sites.create({ organizationId: "acme" });
  const one = { organizationId: "acme", siteId };
  const stored = async (id: string) => {
    const row = await service.db
      .selectFrom("mcp_server")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return openHeaders(service.contextOf(service.self), row);
  };
  return { api, one, stored };
}

test("POST …/mcp-servers adds a server whose headers are sealed, and never returned", async () => {
  const { one, stored } = await newSite();
  const reply = { headers: {} as Record<string, string> };
  const api = await service.as({ acme: "create" }, { reply });
  const added = await api.mcpServers.create({ ...one, ...server });
  const location = `http://octavo.test/v1/orgs/acme/sites/${one.siteId}/mcp-servers/${added.id}`;
  expect(added).toEqual({
    object: "site-mcp-server",
    id: expect.stringMatching(/^sitemcp_/),
    ...server,
    headers: { Authorization: MASK, "X-Team": MASK },
    urls: { location },
  });
  expect(reply.headers.location).toBe(location);
  expect(await api.mcpServers.get({ ...one, siteMcpServerId: added.id })).toEqual(added);
  expect(await api.mcpServers.list(one)).toEqual({ items: [added], count: 1 });
  expect(await stored(added.id)).toEqual(server.headers);
  const everywhere = JSON.stringify([
    await service.db.selectFrom("mcp_server").selectAll().execute(),
    await service.db.selectFrom("outbox").selectAll().execute(),
  ]);
  expect(everywhere).not.toContain("very-secret");
});

test("PATCH …/mcp-servers/{siteMcpServerId} replaces headers, and leaves values as they are that are masked", async () => {
  const { api, one, stored } = await newSite();
  const { id: siteMcpServerId } = await api.mcpServers.create({ ...one, ...server });
  const at = { ...one, siteMcpServerId };
  const renamed = await api.mcpServers.update({ ...at, name: "Issues" });
  expect(renamed).toMatchObject({ name: "Issues", url: server.url });
  expect(await stored(siteMcpServerId)).toEqual(server.headers);
  const headers = { authorization: MASK, "X-New": "value" };
  expect((await api.mcpServers.update({ ...at, headers })).headers).toEqual({
    authorization: MASK,
    "X-New": MASK,
  });
  expect(await stored(siteMcpServerId)).toEqual({ authorization: "Bearer very-secret", "X-New": "value" });
  await api.mcpServers.update({ ...at, headers: {} });
  expect(await stored(siteMcpServerId)).toEqual({});
  const details = (await service.emitted(AuditRecorded)).filter(({ target }) => target.id === one.siteId);
  expect(details.map((entry) => entry.details)).toContainEqual({
    server: siteMcpServerId,
    headers: "changed",
  });
});

test("DELETE …/mcp-servers/{siteMcpServerId} removes a server, and ignores one that does not exist", async () => {
  const { api, one } = await newSite();
  const { id: siteMcpServerId } = await api.mcpServers.create({ ...one, ...server });
  const other = await newSite();
  await api.mcpServers.remove({ ...other.one, siteMcpServerId });
  expect((await api.mcpServers.list(one)).count).toBe(1);
  await api.mcpServers.remove({ ...one, siteMcpServerId });
  await api.mcpServers.remove({ ...one, siteMcpServerId });
  const unknown = { code: "NOT_FOUND", message: "MCP server: not found" };
  await expect(api.mcpServers.get({ ...one, siteMcpServerId })).rejects.toMatchObject(unknown);
  await expect(api.mcpServers.update({ ...one, siteMcpServerId })).rejects.toMatchObject(unknown);
});

test.each<[string, object, string]>([
  ["no name", { name: "" }, "name"],
  ["an address that is none", { url: "mcp.example.com" }, "url"],
  ["an address that runs", { url: "javascript:alert(1)" }, "url"],
  ["a header that is none", { headers: { "a b": "x" } }, "headers.a b"],
  ["a header with two lines", { headers: { a: "x\r\ny: z" } }, "headers.a"],
  ["a header without a value", { headers: { a: "" } }, "headers.a"],
  ["a header twice", { headers: { a: "x", A: "y" } }, "headers"],
  [
    "many headers",
    { headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`h${at}`, "x"])) },
    "headers",
  ],
  ["a mask of nothing", { headers: { a: MASK } }, "body.headers.a"],
  ["no headers at all", { headers: undefined }, "headers"],
])("POST …/mcp-servers with %s is 400 with its place", async (_, wrong, place) => {
  const { api, one } = await newSite();
  const creating = api.mcpServers.create({ ...one, ...server, ...wrong } as never);
  const { code, details } = describe(await creating.catch((error: unknown) => error));
  expect([code, details.issues?.map(({ path }) => path)]).toEqual(["BAD_REQUEST", [place]]);
  expect((await api.mcpServers.list(one)).count).toBe(0);
});

test("…/mcp-servers is 404 for strangers, 403 for guests and readers", async () => {
  const { api, one } = await newSite();
  const { id: siteMcpServerId } = await api.mcpServers.create({ ...one, ...server });
  const at = { ...one, siteMcpServerId };
  for (const [roles, code] of [
    [{ beta: "admin" }, "NOT_FOUND"],
    [{ acme: null }, "FORBIDDEN"],
    [{ acme: "review" }, "FORBIDDEN"],
  ] as const) {
    const { mcpServers } = await service.as(roles);
    for (const call of [
      () => mcpServers.list(one),
      () => mcpServers.get(at),
      () => mcpServers.create({ ...one, ...server }),
      () => mcpServers.update({ ...at, name: "Mine" }),
      () => mcpServers.remove(at),
    ])
      await expect(call()).rejects.toMatchObject({ code });
  }
  expect((await api.mcpServers.get(at)).name).toBe("Tickets");
});
