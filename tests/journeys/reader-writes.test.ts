import { createHmac } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { askMcp } from "../harness/mcp.js";
import { makerOf } from "../harness/permissions.js";
import { sharedStack } from "../harness/shared-stack.js";

// What is sent to a published site: what readers think of a page, and what programs request by the Model Context Protocol.

let call: Client;
let make: ReturnType<typeof makerOf>;
let site: string;
let address: string;
let page: string;

interface Look {
  feedback: { enabled: boolean };
}

async function customize(change: Partial<Look>) {
  const { body } = await call<Look>("GET", `${site}/customization`);
  await make("PUT", `${site}/customization`, { ...body, ...change });
}

beforeAll(async () => {
  call = createClient(await sharedStack());
  make = makerOf(call);
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const space = (await make("POST", `/orgs/${organization}/spaces`, { title: "Asked" })).id;
  const { id } = await make("POST", `/spaces/${space}/change-requests`, {});
  const changes = ["Welcome", "Wombats"].map((title) => ({
    operation: "insert_page",
    title,
    document: { markdown: `# ${title}\n\nAll about ${title.toLowerCase()} and their burrows.\n` },
  }));
  await make("POST", `/spaces/${space}/change-requests/${id}/content`, { changes });
  await make("POST", `/spaces/${space}/change-requests/${id}/merge`);
  const { body } = await call<{ pages: { id: string }[] }>("GET", `/spaces/${space}/content/pages`);
  page = body.pages[1]!.id;
  site = `/orgs/${organization}/sites/${(await make("POST", `/orgs/${organization}/sites`, { title: "Asked", spaces: [space] })).id}`;
  const { urls } = await make<{ urls: { published: string } }>("POST", `${site}/publish`);
  address = urls.published;
  await eventually(async () => (await fetch(address)).status === 200);
});

const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${address}~octavo/feedback`, { method: "POST", body: new URLSearchParams(fields), headers });

test("feedback of readers is accepted from a form where the site enables it, and is counted among its insights", async () => {
  expect(await (await fetch(address)).text()).not.toContain("data-feedback");
  expect((await send({ page, rating: "good" })).status).toBe(404);
  await customize({ feedback: { enabled: true } });
  await eventually(async () => (await (await fetch(address)).text()).includes("data-feedback"));
  const thanked = await send({ page, rating: "good" });
  expect([thanked.status, thanked.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(await thanked.text()).toContain('name="comment"');
  const comment = `Dig deeper. ${"é".repeat(600)}`;
  expect(await (await send({ page, rating: "bad", comment })).text()).not.toContain('name="comment"');
  const recorded = async (column: string) => {
    const query = { select: [{ column }], range: "last24Hours" };
    return JSON.stringify((await call("POST", `${site}/insights/events/aggregate`, query)).body);
  };
  await eventually(async () => (await recorded("eventPageFeedbackRating")).match(/good.*bad|bad.*good/));
  expect(await recorded("eventPageFeedbackComment")).toContain("Dig deeper.");
});

test("feedback that is invalid, of another site, or too long, is refused and counts for nothing", async () => {
  for (const fields of [{}, { page }, { page, rating: "best" }, { page: "none", rating: "good" }])
    expect((await send(fields as Record<string, string>)).status, JSON.stringify(fields)).toBe(404);
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) expect((await send({ page, rating: "good" }, headers)).status).toBe(403);
  expect((await send({ page, rating: "good", comment: "x".repeat(70_000) })).status).toBe(413);
  expect((await fetch(`${address}~octavo/feedback`)).status).toBe(405);
  expect((await fetch(address, { method: "POST", body: "x" })).status).toBe(405);
  expect((await send({ page, rating: "good", comment: "<script>alert(1)</script>\0" })).status).toBe(200);
});

test.each([true, false])(
  "programs list, search and read the pages of a site, with messages of 2026: %s",
  async (modern) => {
    const listed = await askMcp(address, "tools/list", {}, modern);
    const tools = (listed.body?.result?.tools ?? []) as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["search", "get_page", "list_pages", "send_feedback"]);
    const use = async (name: string, given: object) =>
      JSON.stringify((await askMcp(address, "tools/call", { name, arguments: given }, modern)).body?.result);
    expect(await use("list_pages", {})).toContain(`[Wombats](${address}wombats)`);
    for (const at of ["wombats", "/Wombats", `${address}wombats#top`])
      expect(await use("get_page", { page: at })).toContain("All about wombats and their burrows.");
    for (const at of ["none", "%E0%A4%A", "../../etc", "https://evil.example/"])
      expect(await use("get_page", { page: at })).toContain('"isError":true');
    await eventually(async () => (await use("search", { query: "wombats" })).includes(`${address}wombats`));
    expect(await use("send_feedback", { page: "wombats", rating: "ok" })).toContain("Thank you");
    expect(await use("get_page", { page: 7 })).toMatch(/isError|undefined/);
  },
);

test("messages that are none are refused, also by browsers of other sites", async () => {
  for (const body of ["", "{", "[]", '{"jsonrpc":"2.0"}', "x".repeat(70_000)]) {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const { status } = await fetch(`${address}~octavo/mcp`, { method: "POST", headers, body });
    expect(status, body.slice(0, 20)).toBeGreaterThanOrEqual(400);
    expect(status, body.slice(0, 20)).toBeLessThan(500);
  }
  expect((await askMcp(address, "tools/list", {}, false, { origin: "https://evil.example" })).status).toBe(
    403,
  );
  expect((await fetch(`${address}~octavo/mcp`)).status).toBe(405);
});

test("where visitors have to prove who they are, programs do by the same token, and get nothing without", async () => {
  await make("PATCH", site, { visibility: "visitor-auth" });
  const auth = { backend: "custom", fallbackURL: "https://login.example.com/in" };
  const { privateKey } = await make<{ privateKey: string }>("PATCH", `${site}/publishing/auth`, auth);
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwt = (exp: number, key = privateKey) => {
    const signed = `${encoded({ alg: "HS256" })}.${encoded({ exp })}`;
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };
  const soon = Math.floor(Date.now() / 1000) + 600;
  const list = async (authorization?: string) =>
    askMcp(address, "tools/call", { name: "list_pages", arguments: {} }, false, {
      ...(authorization && { authorization }),
    });
  await eventually(async () => (await list()).status === 401);
  for (const bad of ["", `Bearer ${jwt(1)}`, `Bearer ${jwt(soon, "other")}`, "Bearer octavo-token"])
    expect((await list(bad)).status, bad).toBe(401);
  expect(JSON.stringify((await list(`Bearer ${jwt(soon)}`)).body)).toContain("Wombats");
});
