import { afterAll, expect, test } from "vitest";
import { router } from "../router.js";
import { sweepBodies } from "../store/sweep.js";
import { contentTest } from "../testing.js";
import { createCaller } from "../trpc.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });
type Change = Parameters<typeof admin.changeRequests.edit>[0]["changes"][number];
type Text = [title: string, ...blocks: string[]];

const textOf = ([title, ...blocks]: Text) => `# ${title}\n\n${blocks.join("\n\n")}\n`;
const document = (...text: Text) => ({ markdown: textOf(text) });
const BASE: Text = ["Alpha", "One.", "Two.", "Three."];

interface Request {
  spaceId: string;
  changeRequestId: string;
}

const edit = (one: Request, ...changes: Change[]) => admin.changeRequests.edit({ ...one, changes });

async function open(spaceId: string, ...changes: Change[]): Promise<Request> {
  const { id } = await admin.changeRequests.create({ spaceId });
  const one = { spaceId, changeRequestId: id };
  await edit(one, ...changes);
  return one;
}

/** Changes the primary content. */
async function change(spaceId: string, ...changes: Change[]) {
  expect((await admin.changeRequests.merge(await open(spaceId, ...changes))).result).toBe("merge");
}

/** A space with the page Alpha, and Beta beside it. */
async function spaceOfPages() {
  const spaceId = await t.space();
  await change(
    spaceId,
    { operation: "insert_page", document: document(...BASE) },
    { operation: "insert_page", document: document("Beta", "Text.") },
  );
  const { pages } = await admin.content.pages({ spaceId });
  return { spaceId, alpha: pages[0]!.id, beta: pages[1]!.id };
}

/** The primary content and a change request that made these texts of Alpha, found in conflict. */
async function conflict(primary: Text, own: Text) {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: alpha, document: document(...own) });
  await change(spaceId, { operation: "update_page", page: alpha, document: document(...primary) });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  return { spaceId, alpha, beta, one };
}

const conflictsOf = async (one: Request) => (await admin.changes.ofChangeRequest(one)).conflicts ?? [];
const primaryText = async (spaceId: string, pageId: string) =>
  ((await admin.content.page({ spaceId, pageId })) as { markdown: string }).markdown;
const titles = async (spaceId: string) =>
  (await admin.content.pages({ spaceId })).pages.map(({ title }) => title);

/** Updates, then merges; both have to succeed, and the update leaves nothing in conflict. */
async function land(one: Request) {
  expect((await admin.changeRequests.pull(one)).result).toBe("update");
  expect(await conflictsOf(one)).toEqual([]);
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
}

test("both sides of a conflict can be read, block by block, before anybody merges", async () => {
  const { spaceId, alpha } = await spaceOfPages();
  const own = document("Alpha", "Eins.", "Two.", "Three.");
  const one = await open(spaceId, { operation: "update_page", page: alpha, document: own });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
  const primary = document("Alpha", "Uno.", "Two.", "Tres.");
  await change(spaceId, { operation: "update_page", page: alpha, document: primary });
  const before = await conflictsOf(one);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toEqual(before);
  expect(before).toEqual([
    {
      id: alpha,
      kind: "page",
      title: "Alpha",
      properties: [
        { name: "document", base: expect.any(String), primary: expect.any(String), own: expect.any(String) },
      ],
      blocks: [{ base: "One.\n\n", primary: "Uno.\n\n", own: "Eins.\n\n" }],
    },
  ]);
  const fresh = await open(spaceId, { operation: "update_page", page: alpha, title: "Other" });
  expect(await admin.changes.ofChangeRequest(fresh)).not.toHaveProperty("conflicts");
});

test("the document that each side of a conflict names can be fetched", async () => {
  const words = { base: "One.", primary: "Uno.", own: "Eins." };
  const { spaceId, one } = await conflict(["Alpha", words.primary], ["Alpha", words.own]);
  const { properties } = (await conflictsOf(one))[0]!;
  const named = properties.find(({ name }) => name === "document")!;
  for (const side of ["base", "primary", "own"] as const) {
    const fetched = await admin.documents.document({ spaceId, documentId: named[side] as string });
    expect(JSON.stringify(fetched), side).toContain(words[side]);
  }
});

test("properties, places and what is gone name the values of both sides", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const page = alpha;
  const one = await open(
    spaceId,
    { operation: "update_page", page, slug: "own", into: beta },
    { operation: "update_page", page: beta, emoji: "1f600" },
  );
  await change(spaceId, { operation: "insert_page", title: "Top", ref: "top", document: {} });
  const { pages } = await admin.content.pages({ spaceId });
  const top = pages.at(-1)!.id;
  await change(
    spaceId,
    { operation: "update_page", page, slug: "primary", into: top },
    { operation: "delete_page", page: beta },
  );
  expect((await admin.changeRequests.pull(one)).result).toBe("conflicts");
  const conflicts = await conflictsOf(one);
  expect(conflicts.find(({ id }) => id === alpha)?.properties).toEqual([
    { name: "slug", base: "alpha", primary: "primary", own: "own" },
    {
      name: "position",
      base: { parent: null, after: null },
      primary: { parent: top, after: null },
      own: { parent: beta, after: null },
    },
  ]);
  expect(conflicts.find(({ id }) => id === beta)?.properties).toEqual([
    { name: "deleted", base: false, primary: true, own: false },
  ]);
});

const decisions: [what: string, changes: (page: string) => Change[], merged: Text][] = [
  [
    "the primary's, by putting the page back",
    (page) => [{ operation: "revert_page", page }],
    ["Alpha", "Uno.", "Two.", "Tres."],
  ],
  [
    "the primary's, by its words",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "Uno.", "Two.", "Three.") }],
    ["Alpha", "Uno.", "Two.", "Tres."],
  ],
  [
    "its own, by naming the page",
    (page) => [{ operation: "update_page", page }],
    ["Alpha", "Eins.", "Two.", "Tres."],
  ],
  [
    "its own, by the text that it has",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "Eins.", "Two.", "Three.") }],
    ["Alpha", "Eins.", "Two.", "Tres."],
  ],
  [
    "both, by hand",
    (page) => [
      { operation: "update_page", page, document: document("Alpha", "Eins, uno.", "Two.", "Three.") },
    ],
    ["Alpha", "Eins, uno.", "Two.", "Tres."],
  ],
  [
    "both, one behind the other",
    (page) => [
      { operation: "update_page", page, document: document("Alpha", "Uno.", "Eins.", "Two.", "Three.") },
    ],
    ["Alpha", "Uno.", "Eins.", "Two.", "Tres."],
  ],
  [
    "what was there before",
    (page) => [{ operation: "update_page", page, document: document("Alpha", "One.", "Two.", "Three.") }],
    ["Alpha", "One.", "Two.", "Tres."],
  ],
];

test.each(decisions)(
  "a conflict is decided for %s, and what did not conflict still comes in",
  async (_, changes, merged) => {
    const { spaceId, alpha, one } = await conflict(
      ["Alpha", "Uno.", "Two.", "Tres."],
      ["Alpha", "Eins.", "Two.", "Three."],
    );
    await edit(one, ...changes(alpha));
    expect(await conflictsOf(one)).toEqual([]);
    await land(one);
    expect(await primaryText(spaceId, alpha)).toBe(textOf(merged));
  },
);

test.each(decisions)("decided for %s it merges without an update as well", async (_, changes, merged) => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, ...changes(alpha));
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await primaryText(spaceId, alpha)).toBe(textOf(merged));
});

test("an edit that does not touch what is in conflict decides nothing, and loses nothing", async () => {
  const { spaceId, alpha, beta, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Three."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, {
    operation: "update_page",
    page: alpha,
    document: document("Alpha", "Eins.", "Two.", "Drei."),
  });
  await edit(one, { operation: "update_page", page: alpha, emoji: "1f600" });
  await edit(one, { operation: "update_page", page: beta });
  expect(await conflictsOf(one)).toMatchObject([
    { id: alpha, blocks: [{ base: "One.\n\n", primary: "Uno.\n\n", own: "Eins.\n\n" }] },
  ]);
  for (const result of [await admin.changeRequests.merge(one), await admin.changeRequests.pull(one)])
    expect(result.result).toBe("conflicts");
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "Uno.", "Two.", "Three."]));
});

test("conflicts are decided one by one; what stays is confirmed by naming the page", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  await edit(one, {
    operation: "update_page",
    page: alpha,
    document: document("Alpha", "1.", "Two.", "Drei."),
  });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Tres.\n", own: "Drei.\n" }] }]);
  expect((await admin.changeRequests.pull(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "1.", "Two.", "Drei."]));
});

test("what was decided of a text outlives the sweep of texts, until the change request is updated", async () => {
  const { alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  const wanted = document("Alpha", "1.", "Two.", "Drei.");
  await edit(one, { operation: "update_page", page: alpha, document: wanted });
  const bases = () =>
    t.db.selectFrom("merge_base").select("id").where("change_request", "=", one.changeRequestId);
  const texts = () => t.db.selectFrom("body").select("markdown").where("space", "=", one.spaceId).execute();
  const sweep = async () => {
    const later = new Date(Date.now() + 30 * 24 * 3_600_000);
    while ((await sweepBodies({ ...t.ctx, clock: () => later }, 1000)) > 0);
    return (await texts()).map(({ markdown }) => markdown);
  };
  const ancestor = textOf(["Alpha", "Uno.", "Two.", "Three."]);
  const before = await conflictsOf(one);
  expect(before).toHaveLength(1);
  expect(await sweep()).toContain(ancestor);
  expect(await conflictsOf(one)).toEqual(before);
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await bases().execute()).toEqual([]);
  expect(await sweep()).not.toContain(ancestor);
});

test("one request can decide a part by its words and confirm the rest", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Tres."],
    ["Alpha", "Eins.", "Two.", "Drei."],
  );
  await edit(
    one,
    { operation: "update_page", page: alpha, document: document("Alpha", "1.", "Two.", "Drei.") },
    { operation: "update_page", page: alpha },
  );
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "1.", "Two.", "Drei."]));
});

test("a decision holds until the primary content changes that part again; other parts still come in", async () => {
  const { spaceId, alpha, one } = await conflict(
    ["Alpha", "Uno.", "Two.", "Three."],
    ["Alpha", "Eins.", "Two.", "Three."],
  );
  await edit(one, { operation: "update_page", page: alpha });
  const primary = (...text: Text) =>
    change(spaceId, { operation: "update_page", page: alpha, document: document(...text) });
  await primary("Alpha", "Uno.", "Two.", "Tres.");
  expect((await admin.changeRequests.pull(one)).result).toBe("update");
  await primary("Alpha", "Un.", "Two.", "Tres.");
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([
    { blocks: [{ base: "Uno.\n\n", primary: "Un.\n\n", own: "Eins.\n\n" }] },
  ]);
  await edit(one, { operation: "update_page", page: alpha });
  await primary("Alpha", "Un!", "Two.", "Tres.");
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha });
  await land(one);
  expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", "Eins.", "Two.", "Tres."]));
});

test("properties are decided one by one", async () => {
  const { spaceId, alpha } = await spaceOfPages();
  const page = alpha;
  const one = await open(spaceId, {
    operation: "update_page",
    page,
    title: "Own",
    slug: "own",
    icon: "gear",
  });
  await change(spaceId, { operation: "update_page", page, title: "Primary", slug: "primary", icon: "star" });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  const names = async () => (await conflictsOf(one))[0]?.properties.map(({ name }) => name).sort();
  expect(await names()).toEqual(["icon", "slug", "title"]);
  await edit(one, { operation: "update_page", page, title: "Both" });
  expect(await names()).toEqual(["icon", "slug"]);
  await edit(one, { operation: "update_page", page, icon: "star" });
  expect(await names()).toEqual(["slug"]);
  await edit(one, { operation: "update_page", page, slug: "both" });
  await land(one);
  expect(await admin.content.page({ spaceId, pageId: page })).toMatchObject({
    ...{ title: "Both", slug: "both", icon: "star" },
    markdown: "---\nicon: star\n---\n\n# Both\n\nOne.\n\nTwo.\n\nThree.\n",
  });
});

test("a page that both sides moved stands where the change request puts it at last", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  await change(spaceId, { operation: "insert_page", title: "Gamma", document: {} });
  const gamma = (await admin.content.pages({ spaceId })).pages[2]!.id;
  const one = await open(spaceId, { operation: "update_page", page: alpha, into: beta });
  await change(spaceId, { operation: "update_page", page: alpha, into: gamma });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, { operation: "update_page", page: alpha, into: null, at: 0 });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Alpha", "Beta", "Gamma"]);
});

test.each([
  ["stays deleted when it is deleted again", "delete_page" as const, ["Beta"]],
  ["comes back when it is put back", "revert_page" as const, ["Primary", "Beta"]],
])("a page that was deleted here and edited there %s", async (_, operation, left) => {
  const { spaceId, alpha } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page: alpha });
  await change(spaceId, { operation: "update_page", page: alpha, title: "Primary" });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([{ id: alpha, properties: [{ name: "deleted", own: true }] }]);
  await edit(one, { operation, page: alpha });
  await land(one);
  expect(await titles(spaceId)).toEqual(left);
});

test.each<[string, (page: string) => Change, string[]]>([
  [
    "stays when it is edited",
    (page) => ({ operation: "update_page", page, title: "Kept" }),
    ["Kept", "Beta"],
  ],
  ["stays when it is confirmed", (page) => ({ operation: "update_page", page }), ["Own", "Beta"]],
  ["goes when it is deleted", (page) => ({ operation: "delete_page", page }), ["Beta"]],
  ["goes when it is put back", (page) => ({ operation: "revert_page", page }), ["Beta"]],
])("a page that was edited here and deleted there %s", async (_, decision, left) => {
  const { spaceId, alpha } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: alpha, title: "Own" });
  await change(spaceId, { operation: "delete_page", page: alpha });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  await edit(one, decision(alpha));
  await land(one);
  expect((await titles(spaceId)).sort()).toEqual(left.sort());
});

test("what was put under a page meanwhile goes with it, or the page stays", async () => {
  for (const [operation, left] of [
    ["delete_page", ["Beta"]],
    ["revert_page", ["Alpha", "Beta"]],
  ] as const) {
    const { spaceId, alpha } = await spaceOfPages();
    const one = await open(spaceId, { operation: "delete_page", page: alpha });
    await change(
      spaceId,
      { operation: "insert_page", title: "Child", into: alpha, ref: "child", document: {} },
      { operation: "insert_page", title: "Grandchild", into: "child", document: {} },
    );
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    const [{ id: child, ...found } = { id: "" }] = await conflictsOf(one);
    expect(found).toMatchObject({
      title: "Child",
      properties: [{ name: "deleted", primary: false, own: true }],
    });
    await edit(one, { operation, page: operation === "delete_page" ? child : alpha });
    await land(one);
    expect(await titles(spaceId)).toEqual(left);
  }
});

test("a page that a primary's deletion left without a place is moved, and merges", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: beta, into: alpha });
  await change(spaceId, { operation: "delete_page", page: alpha });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  expect(await conflictsOf(one)).toMatchObject([{ id: beta, properties: [{ name: "position" }] }]);
  await edit(one, { operation: "update_page", page: beta, into: null });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Beta"]);
});

test.each<[string, (alpha: string, beta: string) => Change, string[]]>([
  ["stays where it is by its name", (page) => ({ operation: "update_page", page }), ["Alpha"]],
  ["stays when the deletion is confirmed", (_, page) => ({ operation: "delete_page", page }), ["Alpha"]],
  ["goes when it is deleted", (page) => ({ operation: "delete_page", page }), []],
  ["stands where it is moved", (page) => ({ operation: "update_page", page, into: null }), ["Alpha"]],
  ["comes under the page that is put back", (_, page) => ({ operation: "revert_page", page }), ["Beta"]],
])("a page that was moved there under one that is deleted here %s", async (_, decision, left) => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page: beta });
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
  const [base, primary] = [null, beta].map((parent) => ({ parent, after: null }));
  const properties = [{ name: "position", base, primary, own: base }];
  expect(await conflictsOf(one)).toMatchObject([{ id: alpha, properties }]);
  await edit(one, decision(alpha, beta));
  await land(one);
  expect(await titles(spaceId)).toEqual(left);
});

test("pages that both sides put under each other stand as the change request has them, by the name of its own", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: beta, into: alpha });
  await change(spaceId, { operation: "update_page", page: alpha, into: beta });
  expect(await conflictsOf(one)).toMatchObject([
    { id: beta, properties: [{ name: "position", base: { parent: null }, own: { parent: alpha } }] },
  ]);
  await edit(one, { operation: "update_page", page: beta });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Alpha"]);
});

test("the name of a page that only the primary content moved brings nothing back of what was above it", async () => {
  const { spaceId, alpha, beta: page } = await spaceOfPages();
  await change(spaceId, { operation: "update_page", page, into: alpha });
  const one = await open(spaceId, { operation: "update_page", page, title: "Own" });
  await change(
    spaceId,
    { operation: "update_page", page, into: null, title: "Primary" },
    { operation: "delete_page", page: alpha },
  );
  await edit(one, { operation: "update_page", page });
  await land(one);
  expect(await titles(spaceId)).toEqual(["Own"]);
});

test("a page above that is gone is named, and stays by its name or that of the page below it", async () => {
  for (const named of ["alpha", "beta"] as const) {
    const { spaceId, ...pages } = await spaceOfPages();
    const one = await open(spaceId, { operation: "update_page", page: pages.beta, into: pages.alpha });
    await change(spaceId, { operation: "delete_page", page: pages.alpha });
    expect(await conflictsOf(one)).toMatchObject([{ id: pages.beta, missing: pages.alpha }]);
    await edit(one, { operation: "update_page", page: pages[named] });
    await land(one);
    expect(await titles(spaceId)).toEqual(["Alpha"]);
  }
});

test("a title or a field of the frontmatter in conflict is shown as that property alone, beside other blocks", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const edited = (title: string, icon: string, ...blocks: string[]): Change => {
    const { markdown } = document(title, ...blocks);
    return {
      operation: "update_page",
      page,
      document: { markdown: `---\nicon: ${icon}\n---\n\n${markdown}` },
    };
  };
  const one = await open(spaceId, edited("Own", "gear", "Eins.", "Two.", "Three."));
  await change(spaceId, edited("Primary", "star", "One.", "Two.", "Three."));
  expect(await conflictsOf(one)).toEqual([
    {
      ...{ id: page, kind: "page", title: "Own" },
      properties: [
        { name: "title", base: "Alpha", primary: "Primary", own: "Own" },
        { name: "icon", primary: "star", own: "gear" },
      ],
    },
  ]);
  await change(spaceId, edited("Primary", "star", "Uno.", "Two.", "Three."));
  expect(await conflictsOf(one)).toMatchObject([
    {
      properties: [{ name: "title" }, { name: "icon" }, { name: "document" }],
      blocks: [{ base: "One.\n\n", primary: "Uno.\n\n", own: "Eins.\n\n" }],
    },
  ]);
});

test("fields of layout and variables merge one by one; the same field is a conflict about that property", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const text = (width: string, size: string, ...vars: string[]): Change => {
    const layout = ["layout:", `  width: ${width}`, "  cover:", "    visible: true", `    size: ${size}`];
    const front = ["---", ...layout, "vars:", "  a: 1", ...vars, "---"].join("\n");
    return { operation: "update_page", page, document: { markdown: `${front}\n\n# Alpha\n\nOne.\n` } };
  };
  await change(spaceId, text("default", "hero"));
  const one = await open(spaceId, text("wide", "hero", "  b: 2"));
  const other = await open(spaceId, text("wide", "full", "  b: 3"));
  await change(spaceId, text("default", "full", "  c: 3"));
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await admin.content.page({ spaceId, pageId: page })).toMatchObject({
    layout: { width: "wide", cover: true, coverSize: "full", title: true },
    variables: { a: 1, b: 2, c: 3 },
    markdown: (text("wide", "full", "  b: 2", "  c: 3") as { document: { markdown: string } }).document
      .markdown,
  });
  expect(await conflictsOf(other)).toMatchObject([
    {
      properties: [{ name: "variables", base: { a: 1 }, primary: { a: 1, b: 2, c: 3 }, own: { a: 1, b: 3 } }],
    },
  ]);
  await edit(other, { operation: "update_page", page });
  await land(other);
});

test("of a field inside variables a decision takes that one alone; what only the primary content changed comes in", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const text = (a: string, b: string, c: string): Change => ({
    ...{ operation: "update_page", page },
    document: { markdown: `---\nvars:\n  a: ${a}\n  b: ${b}\n  c: ${c}\n---\n\n# Alpha\n\nOne.\n` },
  });
  const decisions: [change: Change, variables: unknown][] = [
    [
      { operation: "update_page", page },
      { a: "un", b: "two", c: "drei" },
    ],
    [text("uno", "two", "three"), { a: "uno", b: "two", c: "drei" }],
    [text("un", "deux", "three"), undefined],
  ];
  for (const [decision, variables] of decisions) {
    await change(spaceId, text("one", "two", "three"));
    const one = await open(spaceId, text("un", "two", "three"));
    await change(spaceId, text("eins", "two", "drei"));
    expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
    await edit(one, decision);
    expect((await admin.changeRequests.merge(one)).result).toBe(variables ? "merge" : "conflicts");
    const shown = variables ?? { a: "eins", b: "two", c: "drei" };
    const { a, b, c } = shown as Record<string, string>;
    expect(await admin.content.page({ spaceId, pageId: page })).toMatchObject({ variables: shown });
    expect(await primaryText(spaceId, page)).toContain(`a: ${a}\n  b: ${b}\n  c: ${c}\n`);
  }
});

test("a change request that the primary content has gone past may have no conflict, and a merged one has none", async () => {
  const { spaceId, alpha, beta } = await spaceOfPages();
  const one = await open(spaceId, { operation: "update_page", page: alpha, title: "Own" });
  await change(spaceId, { operation: "update_page", page: beta, title: "Primary" });
  expect(await admin.changeRequests.get(one)).toMatchObject({ outdated: true });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  await change(spaceId, { operation: "update_page", page: alpha, title: "Later" });
  expect(await admin.changes.ofChangeRequest(one)).not.toHaveProperty("conflicts");
});

const both = async () => {
  const { spaceId, alpha } = await spaceOfPages();
  const own = document("Alpha", "Eins.", "Two.", "Three.");
  const one = await open(spaceId, { operation: "update_page", page: alpha, document: own });
  const primary = document("Alpha", "Uno.", "Two.", "Three.");
  await change(spaceId, { operation: "update_page", page: alpha, document: primary });
  return { spaceId, alpha, one, own };
};

test("what can be read is decided without a merge before: by naming the page alone, or putting it back", async () => {
  for (const [operation, block] of [
    ["update_page", "Eins."],
    ["revert_page", "Uno."],
  ] as const) {
    const { spaceId, alpha, one } = await both();
    await edit(one, { operation, page: alpha });
    await land(one);
    expect(await primaryText(spaceId, alpha)).toBe(textOf(["Alpha", block, "Two.", "Three."]));
  }
});

test("an edit by hand and the name of the page decide at once; the next change of that part is a conflict again", async () => {
  const { spaceId, alpha: page, one } = await both();
  await edit(
    one,
    { operation: "update_page", page, document: document("Alpha", "Eins, uno.", "Two.", "Three.") },
    { operation: "update_page", page },
  );
  expect(await conflictsOf(one)).toEqual([]);
  await change(spaceId, {
    operation: "update_page",
    page,
    document: document("Alpha", "Un.", "Two.", "Three."),
  });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ base: "Uno.\n\n", primary: "Un.\n\n" }] }]);
});

test("who was told of no conflict decides none: neither by another edit of the part nor by the same text once more", async () => {
  const { alpha: page, one, own } = await both();
  await edit(one, { operation: "update_page", page, document: own });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Uno.\n\n", own: "Eins.\n\n" }] }]);
  const other = document("Alpha", "Zwei.", "Two.", "Three.");
  await edit(one, { operation: "update_page", page, document: other });
  expect(await conflictsOf(one)).toMatchObject([{ blocks: [{ primary: "Uno.\n\n", own: "Zwei.\n\n" }] }]);
  expect((await admin.changeRequests.merge(one)).result).toBe("conflicts");
});

test("a removal is confirmed once the primary content changed the page; before, there is nothing to remove", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const one = await open(spaceId, { operation: "delete_page", page });
  const gone = { code: "NOT_FOUND" };
  await expect(edit(one, { operation: "delete_page", page })).rejects.toMatchObject(gone);
  await change(spaceId, { operation: "update_page", page, title: "Primary" });
  expect(await conflictsOf(one)).toHaveLength(1);
  await edit(one, { operation: "delete_page", page });
  await expect(edit(one, { operation: "delete_page", page: "nothing" })).rejects.toMatchObject(gone);
  await land(one);
  expect(await titles(spaceId)).toEqual(["Beta"]);
});

test("changes and conflicts can be read to their ends, page by page", async () => {
  const spaceId = await t.space();
  const insert = (title: string): Change => ({ operation: "insert_page", title, document: {} });
  await change(spaceId, ...["A", "B", "C", "D", "E", "F", "G"].map(insert));
  const ids = (await admin.content.pages({ spaceId })).pages.map(({ id }) => id);
  const retitled = (by: string, at = 0) =>
    ids.map((page, index): Change => ({ operation: "update_page", page, title: `${by}${index}`, at }));
  const one = await open(spaceId, ...retitled("Own"));
  await change(spaceId, ...retitled("Primary").slice(2), insert("H"));
  const whole = await admin.changes.ofChangeRequest({ ...one, limit: 1000 });
  expect([whole.changes.length, whole.conflicts!.length]).toEqual([13, 5]);
  const read: Pick<typeof whole, "changes"> & { conflicts: unknown[] } = { changes: [], conflicts: [] };
  for (let page: string | undefined, left = 13; left > 0; left -= 3) {
    const ctx = t.context(t.user({ acme: "admin" }));
    const part = await createCaller(router)(ctx).changes.ofChangeRequest({ ...one, limit: 3, page });
    read.changes.push(...part.changes);
    read.conflicts.push(...part.conflicts!);
    expect(part.more).toBe(13 - read.changes.length || undefined);
    expect(part.moreConflicts).toBe(5 - read.conflicts.length || undefined);
    const [, link, cursor] =
      /^<([^?]+)\?limit=3&page=([\w-]+)>; rel="next"$/.exec(String(ctx.reply.headers.link)) ?? [];
    const { spaceId, changeRequestId } = one;
    const here = `http://octavo.test/v1/spaces/${spaceId}/change-requests/${changeRequestId}/changes`;
    expect(link).toBe(left <= 3 ? undefined : here);
    page = cursor;
  }
  expect(read).toEqual({ changes: whole.changes, conflicts: whole.conflicts });
  expect(await admin.changes.ofChangeRequest({ ...one, limit: 0 })).toEqual({
    ...{ changes: [], more: 13, conflicts: [], moreConflicts: 5 },
  });
  const wrong = admin.changes.ofChangeRequest({ ...one, page: "nonsense" });
  await expect(wrong).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a conflict changes nothing of the change request: neither its revision nor when it was edited", async () => {
  const { one } = await conflict(["Alpha", "Uno."], ["Alpha", "Eins."]);
  const before = await admin.changeRequests.get(one);
  await admin.changeRequests.pull(one);
  expect(await admin.changeRequests.get(one)).toEqual(before);
});
