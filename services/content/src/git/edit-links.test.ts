import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { newId } from "@octavo/shared/ids";
import { deliver } from "@octavo/shared/testing/emitted";
import { senderTo } from "@octavo/shared/testing/service";
import { afterAll, expect, test } from "vitest";
import { listeners } from "../library/audience/listeners.js";
import { router } from "../router.js";
import { contentTest } from "../testing/content.js";
import { gitTest } from "./testing.js";

// Visitors of a site that shows edit links see where the space at their address is edited, and nothing else of git.

const t = await contentTest();
const { repositoryOf, run, close } = gitTest(t);
afterAll(async () => {
  await close();
  await t.drop();
});

/** A private space that came from git, a site that shows it, and visitors of the site. */
async function shownFromGit() {
  const server = await repositoryOf({ "README.md": "# Home\n\nHello.\n" });
  const spaceId = await t.space();
  await run(spaceId, server.url);
  const site = newId("site");
  const url = `http://sites.test/${site}/`;
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    epoch: 0,
    spaces: [{ space: spaceId, visibility: "share-link", url }],
  });
  const { revision } = await t.as({ acme: "admin" }).spaces.get({ spaceId });
  const visitor = (over: Partial<ReaderCaller> = {}): ReaderCaller => ({
    kind: "reader",
    organization: "acme",
    site,
    epoch: 0,
    space: spaceId,
    revision,
    token: newId(),
    ...over,
  });
  const seen = async (caller: ReaderCaller) => {
    const api = t.call(caller);
    const { gitSync } = await api.spaces.get({ spaceId });
    const page = await api.content.pageAtPath({ spaceId, pagePath: "readme" });
    return { gitSync, git: "git" in page ? page.git : undefined };
  };
  return { server, spaceId, visitor, seen };
}

test("visitors see where the space at their address is edited with the consent of its site, and not without", async () => {
  const { server, spaceId, visitor, seen } = await shownFromGit();
  const { origin, pathname } = new URL(server.url);
  expect(await seen(visitor({ editLink: true }))).toEqual({
    gitSync: { url: origin + pathname },
    git: { oid: "", path: "README.md" },
  });
  const hidden = { gitSync: undefined, git: undefined };
  expect(await seen(visitor())).toEqual(hidden);
  expect(await seen(visitor({ editLink: true, space: newId() }))).toEqual(hidden);
  const ofAnother = t.call(visitor({ editLink: true, site: newId("site") }));
  await expect(ofAnother.spaces.get({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(ofAnother.content.pages({ spaceId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("no credentials stand in the address, whoever wrote them there, nor anything but the address of a host", async () => {
  const { spaceId, visitor } = await shownFromGit();
  const shown = async (url: string) => {
    const git = JSON.stringify({ url, repoName: "acme/docs", commit: "abc", directory: "docs" });
    await t.db.updateTable("space").set({ git }).where("id", "=", spaceId).execute();
    return (await t.call(visitor({ editLink: true })).spaces.get({ spaceId })).gitSync;
  };
  const address = { url: "https://git.example/acme/docs/tree/main" };
  expect(await shown("https://ada:hunter2@git.example/acme/docs/tree/main?token=s3cret#x")).toEqual(address);
  for (const other of ["file:///srv/docs", "javascript:alert(1)", "none"])
    expect(await shown(other)).toBeUndefined();
});

test("the tag of a page that was read without consent is not that of the page with it", async () => {
  const { spaceId, visitor } = await shownFromGit();
  const address = await t.serve(router);
  const read = (caller: ReaderCaller, headers: Record<string, string> = {}) =>
    senderTo(address, () => t.sign(caller))(
      "GET",
      `/v1/spaces/${spaceId}/content/path/readme`,
      undefined,
      headers,
    );
  const without = await read(visitor());
  const etag = without.headers.get("etag")!;
  expect((await read(visitor(), { "if-none-match": etag })).status).toBe(304);
  const allowed = await read(visitor({ editLink: true }), { "if-none-match": etag });
  expect([allowed.status, allowed.body.git.path]).toEqual([200, "README.md"]);
});
