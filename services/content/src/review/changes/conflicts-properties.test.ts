import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
import { type Change, conflictSteps, document } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const { admin, edit, open, change, spaceOfPages, conflictsOf, primaryText, land } = conflictSteps(t);

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
    title: "Both",
    slug: "both",
    icon: "star",
    markdown: "---\nicon: star\n---\n\n# Both\n\nOne.\n\nTwo.\n\nThree.\n",
  });
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
      id: page,
      kind: "page",
      title: "Own",
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

test("variables of which each side removed the ones that the other left merge to none", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const text = (...vars: string[]): Change => {
    const front = vars.length > 0 ? `${["---", "vars:", ...vars, "---"].join("\n")}\n\n` : "";
    return { operation: "update_page", page, document: { markdown: `${front}# Alpha\n\nOne.\n` } };
  };
  await change(spaceId, text("  a: 1", "  b: 2"));
  const one = await open(spaceId, text("  a: 1"));
  await change(spaceId, text("  b: 2"));
  expect((await admin.changeRequests.merge(one)).result).toBe("merge");
  expect(await admin.content.page({ spaceId, pageId: page })).toMatchObject({
    variables: undefined,
    markdown: "---\n---\n\n# Alpha\n\nOne.\n",
  });
});

test("of a field inside variables a decision takes that one alone; what only the primary content changed comes in", async () => {
  const { spaceId, alpha: page } = await spaceOfPages();
  const text = (a: string, b: string, c: string): Change => ({
    operation: "update_page",
    page,
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
