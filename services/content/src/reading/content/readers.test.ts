import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { transact } from "@octavo/shared/database/transact";
import { errorBody } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { prepareQueue } from "@octavo/shared/jobs/queue";
import { deliver } from "@octavo/shared/testing/emitted";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listeners } from "../../library/audience/listeners.js";
import { commitPrimary } from "../../revisions/primary.js";
import { pageWith } from "../../store/testing-sides.js";
import { lockBranch } from "../../store/version.js";
import { contentTest } from "../../testing/content.js";

const t = await contentTest();
beforeAll(() => prepareQueue({ databaseUrl: t.url, schema: t.schema, log: t.ctx.log }));
afterAll(() => t.drop());

const admin = t.as({ acme: "admin" }, { id: "ada" });
const text =
  "# Guide\n\nFor <!-- a note -->all.\n\n{% if visitor.claims.beta %}\nFor testers.\n{% endif %}\n";

/** A site's own word on what it shows. */
async function show(
  site: string,
  spaces: string[],
  { epoch = 0, visibility = "share-link", published = true } = {},
) {
  const shown = spaces.map((space) => ({ space, visibility, url: `http://sites.test/${site}/${space}/` }));
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published,
    epoch,
    spaces: shown,
  });
}

async function write(spaceId: string, title: string, more: object = {}) {
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const change = { operation: "insert_page" as const, title, document: { markdown: text }, ...more };
  const file = { name: "a.txt", base64: Buffer.from("a").toString("base64") };
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [change, { operation: "insert_files", files: [file] }],
  });
  const { revision } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  return { changeRequestId, revision };
}

/** A private space that a site shows to few, and a visitor of the site. */
async function shownSpace() {
  const spaceId = await t.space();
  const { changeRequestId, revision } = await write(spaceId, "Guide");
  await write(spaceId, "Beta", { condition: "visitor.claims.beta" });
  const { revision: now } = await admin.spaces.get({ spaceId });
  const site = newId("site");
  await show(site, [spaceId]);
  const reader = (over: Partial<ReaderCaller> = {}): ReaderCaller => ({
    kind: "reader",
    organization: "acme",
    site,
    epoch: 0,
    space: spaceId,
    revision: now,
    token: newId(),
    ...over,
  });
  return { spaceId, changeRequestId, older: revision, now, site, reader };
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => errorBody(error, "").status,
  );

test("a visitor reads a space of the site as visitors see it: its pages, documents, files and the whole revision", async () => {
  const { spaceId, now, reader } = await shownSpace();
  const visitor = t.call(reader());
  const space = await visitor.spaces.get({ spaceId });
  expect(space.urls.published).toContain(spaceId);
  const allowed = Object.entries(space.permissions).filter(([, may]) => may);
  expect([allowed, space.changeRequests]).toEqual([[["view", true]], 0]);
  expect((await visitor.spaces.lookup({ ids: [spaceId] })).map(({ id }) => id)).toEqual([spaceId]);
  for (const read of [
    await visitor.content.revision({ spaceId }),
    await visitor.revisionContent.revision({ spaceId, revisionId: now }),
  ]) {
    expect(read.pages.map(({ title }) => title)).toEqual(["Guide"]);
    expect([read.files.length, read.mergedFrom]).toEqual([2, undefined]);
  }
  const { pages } = await visitor.revisionContent.pages({ spaceId, revisionId: now });
  const at = { spaceId, revisionId: now, pageId: pages[0]!.id };
  const seen = [
    await visitor.revisionContent.page(at),
    await visitor.revisionContent.pageDocument(at),
    await visitor.content.pageAtPath({ spaceId, pagePath: "guide" }),
  ];
  expect(JSON.stringify(seen)).toContain("For all.");
  expect(JSON.stringify(seen)).not.toMatch(/a note|testers/);
  const { items } = await visitor.content.files({ spaceId });
  expect(await visitor.content.file({ spaceId, fileId: items[0]!.id })).toMatchObject({ name: "a.txt" });
});

test("a visitor sees no change request and no revision but the current one and that of the address", async () => {
  const { spaceId, changeRequestId, older, now, reader } = await shownSpace();
  const visitor = t.call(reader());
  const read = (revisionId: string, as = visitor) =>
    refusal(as.revisionContent.pages({ spaceId, revisionId }));
  expect([await read(now), await read(older)]).toEqual([200, 404]);
  for (const id of [changeRequestId, "1", newId()]) {
    expect(await refusal(visitor.changeRequestContent.pages({ spaceId, changeRequestId: id }))).toBe(404);
  }
  await write(spaceId, "Later");
  const { revision: later } = await admin.spaces.get({ spaceId });
  expect([await read(later), await read(now), await read(older)]).toEqual([200, 200, 404]);
  const elsewhere = t.call(reader({ space: newId() }));
  expect([await read(later, elsewhere), await read(now, elsewhere)]).toEqual([200, 404]);
});

test("a visitor sees no space that the site does not show, though it is public or another site shows it", async () => {
  const { spaceId, reader } = await shownSpace();
  const open = await t.space({ visibility: "public" });
  const visitor = t.call(reader());
  expect(await refusal(visitor.content.pages({ spaceId: open }))).toBe(404);
  expect(await refusal(visitor.spaces.get({ spaceId: open }))).toBe(404);
  expect(await visitor.spaces.lookup({ ids: [open] })).toEqual([]);
  const ofAnother = t.call(reader({ site: newId("site") }));
  expect(await refusal(ofAnother.content.pages({ spaceId }))).toBe(404);
  expect(await refusal(ofAnother.spaces.get({ spaceId }))).toBe(404);
});

test("a page of the current revision takes one statement, and of the one at the address two, each with its own text", async () => {
  const { spaceId, reader } = await shownSpace();
  await write(spaceId, "Plain", { document: { markdown: "For all.\n" } });
  const { revision: now } = await admin.spaces.get({ spaceId });
  const page = (await admin.content.pages({ spaceId })).pages.at(-1);
  const visitor = reader({ revision: now });
  const readAt = async (api: ReturnType<typeof t.call>, revisionId: string) => {
    const flags = { format: "markdown", metadata: false } as const;
    const read = await api.revisionContent.page({ spaceId, revisionId, pageId: page!.id, ...flags });
    return read.type === "document" ? read.markdown : undefined;
  };
  expect(await readAt(t.call(visitor), now)).toContain("For all.");
  expect(await t.queriesOf(visitor, (api) => readAt(api, now))).toBe(1);
  const drawn = { spaceId, revisionId: now, pageId: page!.id };
  expect(await t.queriesOf(visitor, (api) => api.shownPages.page(drawn))).toBe(1);
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const markdown = "For everybody.\n";
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId,
    changes: [{ operation: "update_page", page: page!.id, document: { markdown } }],
  });
  const { revision: later } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  expect(await readAt(t.call(visitor), now)).toContain("For all.");
  expect(await readAt(t.call(visitor), later)).toContain("For everybody.");
  expect(await t.queriesOf(visitor, (api) => readAt(api, now))).toBe(2);
  expect(await t.queriesOf(visitor, (api) => readAt(api, later))).toBe(1);
});

test("a page to be drawn is what the page is otherwise, its document as JSON without keys and comments", async () => {
  const { spaceId, now, reader } = await shownSpace();
  const { pages } = await admin.content.pages({ spaceId });
  const [guide, beta] = pages.map(({ id }) => id) as [string, string];
  const visitor = t.call(reader());
  const at = { spaceId, revisionId: now, pageId: guide };
  const { page, document } = await visitor.shownPages.page(at);
  const {
    document: known,
    pages: below,
    ...plain
  } = (await visitor.revisionContent.page({
    ...at,
    format: "document",
    evaluated: "true",
    metadata: false,
  })) as { document: object; pages: unknown[] };
  expect(page).toEqual({ ...plain, pages: below });
  const withoutKeys = (name: string, value: unknown) => (name === "key" ? undefined : value);
  expect(JSON.parse(document)).toEqual(JSON.parse(JSON.stringify(known, withoutKeys)));
  expect(document).not.toMatch(/"key"|a note|testers/);
  expect(await refusal(visitor.shownPages.page({ ...at, pageId: beta }))).toBe(404);
  expect(await refusal(visitor.shownPages.page({ ...at, pageId: newId() }))).toBe(404);
  const tester = t.call(reader({ claims: { beta: true } }));
  expect((await tester.shownPages.page({ ...at, pageId: beta })).document).toContain("For testers.");
  const ofAnother = t.call(reader({ site: newId("site") }));
  expect(await refusal(ofAnother.shownPages.page(at))).toBe(404);
});

test("all pages and files of a space are those of its revision, as far as they are shown around each page", async () => {
  const { spaceId, reader } = await shownSpace();
  const [guide] = (await admin.content.pages({ spaceId })).pages;
  const hidden = {
    hidden: true,
    noIndex: true,
    noRobotsIndex: true,
    icon: "star",
    description: "What {% if x %}secretly{% endif %} it is",
  };
  await write(spaceId, "Below {% if x %}secretly{% endif %}", { into: guide!.id, ...hidden });
  await write(spaceId, "Words", { document: { markdown: "Wörter.\n" } });
  const target = { kind: "url", url: "https://a.example/" } as const;
  const put = [
    { ...pageWith({ slug: "group", props: { type: "group" } }), id: "group" },
    { ...pageWith({ title: "Elsewhere", props: { type: "link", target } }), id: "link", slug: null },
  ];
  const { id: revisionId } = await transact(t.ctx, async (ctx) => {
    const head = await lockBranch(ctx, spaceId);
    return commitPrimary(ctx, { space: spaceId, head, type: "edits", changes: { put, remove: [] } });
  });

  for (const claims of [undefined, { beta: true }]) {
    const visitor = t.call(reader({ revision: revisionId, claims }));
    const { pages, files } = await visitor.revisionContent.revision({ spaceId, revisionId, metadata: false });
    const shown = await visitor.shownPages.space({ spaceId, revisionId });
    const picked = (page: (typeof pages)[number]): object => {
      const { id, type, title, icon, createdAt, updatedAt = createdAt } = page;
      const { path, hidden, noIndex, noRobotsIndex } = page as { path?: string } & Record<string, unknown>;
      const { description, target, pages } = page as { pages?: (typeof page)[] } & Record<string, unknown>;
      const own = {
        id,
        type,
        title,
        icon,
        updatedAt,
        path,
        hidden,
        noIndex,
        noRobotsIndex,
        description,
        target,
      };
      return JSON.parse(JSON.stringify({ ...own, pages: pages?.map(picked) })) as object;
    };
    const withoutLengths = (name: string, value: unknown) => (name === "length" ? undefined : value);
    expect(JSON.parse(JSON.stringify(shown.pages, withoutLengths))).toEqual(pages.map(picked));
    const named = shown.pages.flatMap(
      ({ id, title, length }) => [[id, length] as const, [title, length]] as const,
    );
    const lengths = new Map(named);
    const bytes = Buffer.byteLength("# Words\n\nWörter.\n");
    expect(["Words", "group", "link"].map((name) => lengths.get(name))).toEqual([bytes, 0, undefined]);
    expect(shown.pages.map(({ title }) => title)).toContain("Elsewhere");
    expect(JSON.stringify(shown.pages).includes("Beta")).toBe(claims !== undefined);
    expect(JSON.stringify(shown)).not.toMatch(/secretly|downloadURL/);
    const { items } = await visitor.publishedFiles.list({ spaceId, revisionId });
    const hashOf = new Map(items.map(({ id, hash }) => [id, hash]));
    expect(shown.files).toEqual(
      files.map(({ id, name, size, dimensions }) => ({ id, name, hash: hashOf.get(id), size, dimensions })),
    );
  }
});

test("how long it takes to draw a page counts the files it refers to that may be specifications, and no others", async () => {
  const { spaceId, reader } = await shownSpace();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const file = (name: string, size: number) => ({ name, base64: Buffer.alloc(size, "a").toString("base64") });
  const files = [file("pets.yaml", 5_000), file("cats.json", 300), file("notes.txt", 7_000)];
  const edit = (change: object) =>
    admin.changeRequests.edit({ spaceId, changeRequestId, changes: [change as never] });
  await edit({ operation: "insert_files", files });
  const { items } = await admin.changeRequestContent.files({ spaceId, changeRequestId });
  const idOf = (name: string) => items.find((one) => one.name === name)!.id;
  const links = [...files, files[0]!]
    .map(({ name }) => `[${name}](/broken/files/${idOf(name)})\n`)
    .join("\n");
  await edit({ operation: "insert_page", title: "Pets", document: { markdown: links } });
  const { revision } = await admin.changeRequests.merge({ spaceId, changeRequestId });
  const pets = async (revisionId: string) => {
    const visitor = t.call(reader({ revision: revisionId }));
    const { pages } = await visitor.shownPages.space({ spaceId, revisionId });
    return pages.find(({ title }) => title === "Pets")!;
  };
  const { id, length } = await pets(revision);
  expect(length).toBeGreaterThan(5_300 + links.length - 100);
  expect(length).toBeLessThan(7_000);

  // What an earlier text referred to is not counted.
  const later = await admin.changeRequests.create({ spaceId });
  await admin.changeRequests.edit({
    spaceId,
    changeRequestId: later.id,
    changes: [{ operation: "update_page", page: id, document: { markdown: "No pets.\n" } }],
  });
  const merged = await admin.changeRequests.merge({ spaceId, changeRequestId: later.id });
  expect((await pets(merged.revision)).length).toBeLessThan(100);
});

test("all pages of a space are 404 for visitors of another site, members of others, and services", async () => {
  const { spaceId, now, reader } = await shownSpace();
  const at = { spaceId, revisionId: now };
  expect(await refusal(t.call(reader()).shownPages.space(at))).toBe(200);
  expect(await refusal(t.call(reader({ site: newId("site") })).shownPages.space(at))).toBe(404);
  expect(await refusal(t.call(reader()).shownPages.space({ ...at, revisionId: newId() }))).toBe(404);
  expect(await refusal(t.as({ beta: "admin" }).shownPages.space(at))).toBe(404);
  expect(await refusal(t.call({ kind: "service", service: "sites" }).shownPages.space(at))).toBe(403);
  expect(await refusal(t.call(reader()).shownPages.space({ ...at, spaceId: "" }))).toBe(400);
});

test("all pages of a space that are asked for again are kept for visitors who claim the same, and for nobody else", async () => {
  const { spaceId, now: revisionId, site, reader } = await shownSpace();
  const titles = async (api: ReturnType<typeof t.call>) =>
    (await api.shownPages.space({ spaceId, revisionId })).pages.map(({ title }) => title);
  const tester = reader({ claims: { beta: true } });
  for (const [visitor, seen] of [
    [reader(), ["Guide"]],
    [tester, ["Guide", "Beta"]],
  ] as const) {
    const asked = [];
    for (let time = 0; time < 3; time += 1)
      asked.push(await t.queriesOf(visitor, async (api) => expect(await titles(api)).toEqual(seen)));
    expect(asked[2]).toBeLessThan(asked[1]!);
  }
  expect(await titles(t.call(reader({ claims: { beta: false } })))).toEqual(["Guide"]);
  // What is kept does not admit anybody.
  await show(site, [spaceId], { epoch: 1 });
  await expect(titles(t.call(reader()))).rejects.toMatchObject({ details: { reason: "reader_token_ended" } });
});

test("a page to be drawn comes without those below it", async () => {
  const { spaceId, reader } = await shownSpace();
  const [above] = (await admin.content.pages({ spaceId })).pages;
  await write(spaceId, "Below", { into: above!.id });
  const { revision: revisionId } = await admin.spaces.get({ spaceId });
  const visitor = t.call(reader({ revision: revisionId }));
  const { page } = await visitor.shownPages.page({ spaceId, revisionId, pageId: above!.id });
  expect(page).toMatchObject({ title: "Guide", pages: [] });
});

test("once the audience was narrowed older tokens are 401, and once nothing is shown everything is 404", async () => {
  const { spaceId, site, reader } = await shownSpace();
  const [old, fresh] = [t.call(reader()), t.call(reader({ epoch: 1 }))];
  await show(site, [spaceId], { epoch: 1 });
  for (const read of [() => old.content.pages({ spaceId }), () => old.spaces.get({ spaceId })]) {
    await expect(read()).rejects.toMatchObject({ details: { reason: "reader_token_ended" } });
  }
  expect(await old.spaces.lookup({ ids: [spaceId] })).toEqual([]);
  expect(await refusal(fresh.content.pages({ spaceId }))).toBe(200);
  await show(site, [spaceId], { epoch: 2, published: false });
  for (const visitor of [old, fresh, t.call(reader({ epoch: 2 }))]) {
    expect(await refusal(visitor.content.pages({ spaceId }))).toBe(404);
  }
});

test("a space whose conditions a release before this one did not keep is read by who came to it alone", async () => {
  const { spaceId, site, reader } = await shownSpace();
  await t.db
    .updateTable("audience")
    .set({ conditional: true, conditions: null })
    .where("site", "=", site)
    .execute();
  const read = (over: Partial<ReaderCaller>) => refusal(t.call(reader(over)).content.pages({ spaceId }));
  expect([await read({}), await read({ space: newId() })]).toEqual([200, 404]);
  expect(await t.call(reader({ space: newId() })).spaces.lookup({ ids: [spaceId] })).toEqual([]);
});

test("an audience event without epochs is accepted as the first", async () => {
  const { spaceId, site, reader } = await shownSpace();
  const url = `http://sites.test/${site}/`;
  await deliver(t.ctx, listeners, SiteAudience, site, {
    site,
    organization: "acme",
    published: true,
    spaces: [{ space: spaceId, visibility: "public", url }],
  });
  expect(await refusal(t.call(reader()).content.pages({ spaceId }))).toBe(200);
});

test("a visitor changes nothing, whatever the rule", async () => {
  const { spaceId, reader } = await shownSpace();
  const visitor = t.call(reader());
  const writes = [
    visitor.changeRequests.create({ spaceId }),
    visitor.spaces.update({ spaceId, title: "Mine" }),
    visitor.comments.post({ spaceId, body: { markdown: "x" } }),
  ];
  for (const status of await Promise.all(writes.map(refusal))) expect([403, 404]).toContain(status);
});

test("the digest of a site changes with all that its visitors may be shown of spaces, and with nothing else", async () => {
  const { spaceId, site, reader } = await shownSpace();
  const second = await t.space();
  await show(site, [spaceId, second]);
  const digest = () => t.call(reader()).audience.digest();
  const other = newId("site");
  const unseen = await t.space();
  const changes: Record<string, () => Promise<unknown>> = {
    "a title": () => admin.spaces.update({ spaceId, title: "Other" }),
    "a revision": () => write(second, "More"),
    "conditions of the site": () =>
      t.db
        .updateTable("audience")
        .set({ conditions: ["true"] })
        .where("site", "=", site)
        .execute(),
    "a narrower audience": () => show(site, [spaceId, second], { epoch: 1 }),
    "what another site reports of a space": () => show(other, [spaceId], { visibility: "public" }),
    "a space in the trash": () => admin.spaces.remove({ spaceId: second }),
    "a space that came back": () => admin.spaces.restore({ spaceId: second }),
    "a space less": () => show(site, [spaceId], { epoch: 1 }),
    "nothing that is shown": () => show(site, [], { epoch: 2, published: false }),
  };
  const seen = new Set([await digest()]);
  for (const [what, change] of Object.entries(changes)) {
    await write(unseen, `Unseen ${what}`);
    expect([what, seen.has(await digest())]).toEqual([what, true]);
    await change();
    expect([what, seen.has(await digest())]).toEqual([what, false]);
    seen.add(await digest());
  }
  expect(await refusal(admin.audience.digest())).toBe(403);
});

test("sites finds out whose a space is and its revision; what is in the trash is left out, others are refused", async () => {
  const { spaceId, now, reader } = await shownSpace();
  const gone = await t.space();
  await admin.spaces.remove({ spaceId: gone });
  const ids = [spaceId, gone, newId()];
  const heads = await t.call({ kind: "service", service: "sites" }).spaces.heads({ ids });
  expect(heads).toEqual([{ id: spaceId, organization: "acme", revision: now }]);
  for (const caller of [reader(), t.user({ acme: "admin" }), { kind: "service", service: "orgs" } as const])
    expect(await refusal(t.call(caller).spaces.heads({ ids }))).toBe(403);
});
