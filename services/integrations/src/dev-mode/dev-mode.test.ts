import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publication, startIntegrations } from "../testing/integrations.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let acme: string;
let name: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  const { call } = await home.as({ [acme]: "create" });
  ({ name } = await call.integrations.publish(publication({ organization: acme, visibility: "public" })));
});
afterAll(() => home.end());

const tunnel = () =>
  home.db
    .selectFrom("integration")
    .select(["tunnel_url", "tunnel_all"])
    .where("name", "=", name)
    .executeTakeFirst();

test("PUT /integrations/{integrationName}/dev sets the tunnel, a later one replaces it, DELETE removes it", async () => {
  const { send } = await home.as({ [acme]: "create" });
  const put = (body: unknown) => send("PUT", `/integrations/${name}/dev`, body);
  expect(await put({ tunnelUrl: "https://a.example.com/x", all: true })).toMatchObject({
    status: 204,
    body: undefined,
  });
  expect(await tunnel()).toEqual({ tunnel_url: "https://a.example.com/x", tunnel_all: true });
  expect((await put({ tunnelUrl: "https://b.example.com" })).status).toBe(204);
  expect(await tunnel()).toEqual({ tunnel_url: "https://b.example.com", tunnel_all: false });
  expect((await send("DELETE", `/integrations/${name}/dev`)).status).toBe(204);
  expect((await send("DELETE", `/integrations/${name}/dev`)).status).toBe(204);
  expect(await tunnel()).toEqual({ tunnel_url: null, tunnel_all: false });
});

test("PUT /integrations/{integrationName}/dev with a bad tunnel is 400 and changes nothing", async () => {
  const { send } = await home.as({ [acme]: "create" });
  for (const tunnelUrl of [
    undefined,
    "",
    "ftp://example.com",
    "nonsense",
    `https://example.com/${"x".repeat(250)}`,
  ]) {
    const { status, body } = await send("PUT", `/integrations/${name}/dev`, { tunnelUrl, all: "false" });
    expect(status).toBe(400);
    const paths = body.error.issues.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set(["body.tunnelUrl", "body.all"]));
  }
  expect(await tunnel()).toEqual({ tunnel_url: null, tunnel_all: false });
});

test("PUT and DELETE /integrations/{integrationName}/dev are for the publisher's creators alone", async () => {
  const body = { tunnelUrl: "https://evil.example.com" };
  for (const roles of [{ [acme]: "review" as const }, { [home.orgs.add()]: "admin" as const }]) {
    const { send } = await home.as(roles);
    expect((await send("PUT", `/integrations/${name}/dev`, body)).status).toBe(403);
    expect((await send("DELETE", `/integrations/${name}/dev`)).status).toBe(403);
  }
  const { send } = await home.as({ [acme]: "create" });
  expect((await send("PUT", `/integrations/${newId()}/dev`, body)).status).toBe(404);
  expect((await send("DELETE", `/integrations/${newId()}/dev`)).status).toBe(204);
  expect(await tunnel()).toEqual({ tunnel_url: null, tunnel_all: false });
});
