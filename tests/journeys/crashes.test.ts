import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { addPage } from "../harness/editing.js";
import { gateBefore } from "../harness/git-gate.js";
import { install, publishIntegration } from "../harness/integration.js";
import { expectDeliveredOnce, expectSameAudience, expectSettled } from "../harness/ledger.js";
import { register } from "../harness/people.js";
import { type Stack, startStack } from "../harness/stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

let stack: Stack;
let tunnel: Tunnel;
let database: Database;
let call: Client;
let organization: string;
let installation: string;
/** A space that is edited throughout, and what was acknowledged about it. */
let edited: string;
const acknowledged: string[] = [];

beforeAll(async () => {
  [stack, tunnel] = await Promise.all([startStack(), openTunnel()]);
  database = openDatabase(stack);
  call = createClient({ ...stack, patienceMs: 30_000 });
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  await publishIntegration(call, { name: "witness", organization, tunnelUrl: tunnel.url });
  installation = await install(call, "witness", organization);
  edited = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Edited" })).body.id;
});
afterAll(async () => {
  await database?.close();
  await Promise.allSettled([stack?.stop(), tunnel?.close()]);
});

/** Does the work again and again while `meanwhile` runs, and once more after that. */
async function throughout(work: () => Promise<void>, meanwhile: () => Promise<void>) {
  let over = false;
  const working = (async () => {
    do await work();
    while (!over);
    await work();
  })();
  await Promise.all([
    working,
    sleep(300)
      .then(meanwhile)
      .finally(() => (over = true)),
  ]);
}

/** Kills a part in the middle of a write of the service: its last row is not written yet, and nothing is committed. */
async function killWhileWriting(part: string, service: string) {
  const block = await database.block(`${service}.outbox`);
  try {
    await block.waits("insert into");
    await stack.kill(part);
  } finally {
    await block.release();
  }
}

/** Opens, fills and merges a change request; each of its requests is sent again while a part is away. */
async function edit() {
  const title = `Page ${acknowledged.length}`;
  await addPage(call, edited, title);
  acknowledged.push(title);
}

async function expectEdits() {
  const { body } = await call<{ pages: { title: string }[] }>("GET", `/spaces/${edited}/content/pages`);
  // A request whose response was lost is sent again, so a page may be there twice, but never not.
  const titles = new Set(body.pages.map(({ title }) => title));
  expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
  const numbers = await database.query<{ number: number }>(
    "select number from content.change_request where space = $1 order by number",
    [edited],
  );
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
}

/** A repository of so many pages, in a temporary folder. */
async function repositoryOf(pages: number) {
  const folder = await mkdtemp(join(tmpdir(), "octavo-pages-"));
  await mkdir(join(folder, "pages"));
  const names = Array.from({ length: pages }, (_, index) => `pages/page-${index}.md`);
  const text = "Words that fill a page, and more of them.\n\n".repeat(20);
  await Promise.all(names.map((name) => writeFile(join(folder, name), `# ${name}\n\n${text}`)));
  const summary = names.map((name, index) => `* [Page ${index}](${name})`);
  await writeFile(join(folder, "SUMMARY.md"), `# Table of contents\n\n${summary.join("\n")}\n`);
  const server = await serveRepository(folder);
  await rm(folder, { recursive: true });
  return server;
}

test("content dies in the middle of an import and of edits: the import ends by itself, no edit is lost", async () => {
  const pages = 400;
  const repository = await repositoryOf(pages);
  const gate = await gateBefore(repository.url);
  try {
    const { body: space } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {
      title: "Imported",
    });
    const state = async () =>
      (await call<{ operation: { state: string } }>("GET", `/spaces/${space.id}/git/info`)).body.operation;
    await throughout(edit, async () => {
      const wanted = { url: gate.url, ref: "refs/heads/main" };
      expect((await call("POST", `/spaces/${space.id}/git/import`, wanted)).status).toBe(204);
      await gate.knocked();
      await stack.kill("services/content");
      await stack.ready();
      expect(await state()).toMatchObject({ state: "running" });
      gate.open();
      // The second time it dies while it writes what it has read.
      await eventually(async () => {
        const [row] = await database.query<{ stage: string }>(
          "select stage from content.git_operation where space = $1",
          [space.id],
        );
        return row?.stage === "content_process" || row?.stage === "finalize";
      });
      await stack.kill("services/content");
      const [killed] = await database.query("select state from content.git_operation where space = $1", [
        space.id,
      ]);
      expect(killed).toEqual({ state: "running" });
      await stack.ready();
    });
    await eventually(async () => (await state()).state !== "running");
    expect(await state()).toMatchObject({ state: "success" });
    const { body } = await call<{ pages: { title: string }[] }>("GET", `/spaces/${space.id}/content/pages`);
    expect(body.pages.map(({ title }) => title)).toEqual(
      Array.from({ length: pages }, (_, index) => `Page ${index}`),
    );
    const revisions = await database.query(
      "select id from content.revision where space = $1 and parents <> '{}'",
      [space.id],
    );
    expect(revisions).toHaveLength(1);
    await expectEdits();
  } finally {
    await Promise.all([gate.close(), repository.close()]);
  }
});

test("content dies while new pages of a large import are put into the search index: all of them are found", async () => {
  const pages = 1_500;
  const repository = await repositoryOf(pages);
  try {
    const { body: space } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {
      title: "Large",
    });
    const count = async (table: string) => {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::int as count from content.${table} where space = $1`,
        [space.id],
      );
      return row!.count;
    };
    await call("POST", `/spaces/${space.id}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    // What the import noted is seen when it has ended.
    await eventually(async () => (await count("search_pending")) > 0);
    const block = await database.block("content.search_section");
    try {
      await block.waits("delete from search_section");
      await stack.kill("services/content");
    } finally {
      await block.release();
    }
    expect(await count("search_pending")).toBeGreaterThan(0);
    expect(await count("search_page")).toBeLessThan(pages);
    await stack.ready();
    await eventually(async () => (await count("search_pending")) === 0);
    expect(await count("search_page")).toBe(pages);
    const found = await call<{ items: { title: string }[] }>(
      "GET",
      `/spaces/${space.id}/search?query=${encodeURIComponent(`"Page ${pages - 1}"`)}`,
    );
    expect(found.body.items.map(({ title }) => title)).toContain(`Page ${pages - 1}`);
  } finally {
    await repository.close();
  }
});

test("content dies while it fetches what lies at an address: the import ends by itself, and adds its page once", async () => {
  const knocks: ServerResponse[] = [];
  const server = createServer((_, res) => {
    // The first one gets no response.
    if (knocks.push(res) > 1) res.writeHead(200, { "content-type": "text/markdown" }).end("# Fetched\n");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const { body: space } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {
      title: "Fetched",
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.md`;
    // It is not sent again when the service goes: the import is there all the same.
    const importing = createClient(stack)("POST", `/spaces/${space.id}/content/import`, {
      url,
      source: "markdown",
    });
    await eventually(async () => knocks.length === 1);
    await stack.kill("services/content");
    expect((await importing).status).toBeGreaterThanOrEqual(500);
    await stack.ready();
    const done = await eventually(async () => {
      const { body } = await call<{ items: { state: string }[] }>("GET", `/spaces/${space.id}/imports`);
      return body.items[0]!.state === "completed" ? body : undefined;
    });
    expect(done.items).toMatchObject([{ importedResources: 1, totalResources: 1 }]);
    const { body } = await call<{ pages: { title: string }[] }>("GET", `/spaces/${space.id}/content/pages`);
    expect(body.pages.map(({ title }) => title)).toEqual(["Fetched"]);
    expect(knocks).toHaveLength(2);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => void server.close(closed));
  }
});

/** Publishes a site that shows one space, and returns its address. */
async function publishSite(title: string, space: string): Promise<string> {
  const wanted = { title, spaces: [space] };
  const { body: site } = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, wanted);
  const path = `/orgs/${organization}/sites/${site.id}/publish`;
  return (await call<{ urls: { published: string } }>("POST", path)).body.urls.published;
}

test.each(["content", "sites"])(
  "%s dies under readers: what was shown is shown on, what nobody can say is a clear 503 until it is back",
  async (service) => {
    const [titles, space] = [
      ["Shown", "Unread"],
      (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Read" })).body.id,
    ];
    for (const title of titles) await addPage(call, space, title);
    const published = await publishSite("Read", space);
    const unvisited = await publishSite("Unvisited", space);
    const shown = await eventually(async () => {
      const response = await fetch(published);
      return response.status === 200 && response.text();
    });
    // Where a space is shown is known from its first page; what it holds is not.
    const unread = service === "content" ? `${published}unread` : unvisited;
    await stack.kill(`services/${service}`);
    const back = stack.ready();
    let [over, refused] = [false, 0];
    void back.finally(() => (over = true));
    do {
      const known = await fetch(published);
      expect([known.status, await known.text()]).toEqual([200, shown]);
      const other = await fetch(unread);
      const text = await other.text();
      if (other.status === 200) continue;
      refused += 1;
      expect([other.status, other.headers.get("retry-after"), other.headers.get("cache-control")]).toEqual([
        503,
        "5",
        "private, no-store",
      ]);
      expect(text).toContain("This site cannot be read at the moment");
      if (service === "sites") expect((await fetch(`${published}unread`)).status).toBe(200);
    } while (!over);
    expect(refused).toBeGreaterThan(0);
    await back;
    await eventually(async () => (await fetch(unread)).status === 200);
  },
  90_000,
);

test("orgs dies while tokens are made and revoked: every response that it sent holds", async () => {
  const kept: string[] = [];
  const revoked: string[] = [];
  const bea = await register(stack, "Bea");
  const makeTokens = async () => {
    for (const list of [kept, revoked]) {
      const made = await call<{ id: string; token: string }>("POST", "/user/tokens", { label: "Crash" });
      expect(made.status).toBe(201);
      if (list === revoked) expect((await call("DELETE", `/user/tokens/${made.body.id}`)).status).toBe(204);
      list.push(made.body.token);
    }
  };
  await throughout(makeTokens, async () => {
    // Remembered callers stay remembered: only orgs itself is away.
    const readAsBea = () =>
      createClient({ ...bea, base: stack.base })("GET", `/orgs/${bea.organization}/spaces`);
    expect((await readAsBea()).status).toBe(200);
    await killWhileWriting("services/orgs", "orgs");
    expect((await readAsBea()).status).toBe(200);
    await stack.ready();
  });
  const statusOf = async (token: string) => (await call.as(token)("GET", "/user")).status;
  expect(new Set(await Promise.all(kept.map(statusOf)))).toEqual(new Set([200]));
  await eventually(
    async () => (await Promise.all(revoked.map(statusOf))).every((status) => status === 401),
    2_000,
  );
});

test("sites dies while sites are made and published: content receives each of them", async () => {
  const made: string[] = [];
  const makeSite = async () => {
    const wanted = { title: "Crash", spaces: [edited] };
    const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, wanted);
    expect(site.status).toBe(201);
    const published = await call("POST", `/orgs/${organization}/sites/${site.body.id}/publish`);
    expect(published).toMatchObject({ status: 200, body: { published: true } });
    made.push(site.body.id);
  };
  await throughout(makeSite, async () => {
    await killWhileWriting("services/sites", "sites");
    await stack.ready();
  });
  for (const site of made) {
    const path = `/orgs/${organization}/sites/${site}`;
    expect((await call("GET", path)).body).toMatchObject({ published: true, siteSpaces: 1 });
  }
  await expectSettled(database);
  await expectSameAudience(database);
  const published = await database.query<{ site: string }>(
    "select site from content.audience where space = $1",
    [edited],
  );
  expect(published.map(({ site }) => site)).toEqual(expect.arrayContaining(made));
});

test("integrations dies in the middle of a delivery: it is made again, under the same id, and recorded once", async () => {
  const release = tunnel.hold();
  const before = tunnel.received.length;
  let cut: string | undefined;
  await throughout(edit, async () => {
    cut = (await eventually(async () => tunnel.received[before])).event.eventId;
    await stack.kill("services/integrations");
    await stack.ready();
    release();
  });
  await expectSettled(database);
  expect(tunnel.received.filter(({ event }) => event.eventId === cut)).toHaveLength(2);
  expect(tunnel.answered.filter((id) => id === cut)).toHaveLength(1);
  await expectDeliveredOnce(database, tunnel, installation);
});

test("the gateway dies under its clients: they go on where they were", async () => {
  await throughout(edit, async () => {
    await killWhileWriting("gateway/dist", "content");
    await stack.ready();
  });
  await expectEdits();
});

test("after all that every event was handled once, and nothing waits or is parked", async () => {
  await expectSettled(database);
  await expectDeliveredOnce(database, tunnel, installation);
  await expectSameAudience(database);
  await expectEdits();
});
