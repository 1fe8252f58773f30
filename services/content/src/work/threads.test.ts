import { randomHostile } from "@octavo/markdown/testing/hostile";
import { seeded } from "@octavo/markdown/testing/random";
import { WorkFailed } from "@octavo/shared/workers/pool";
import { afterAll, expect, test } from "vitest";
import { tasks } from "./tasks.js";
import { createWork } from "./threads.js";

/** What goes to threads is the same for any length: with a low one the tests read little. */
const LONG = 2_000;
const work = createWork({ long: LONG });
afterAll(() => work.close());

const page = (length: number) =>
  "# Title\n\nWords *with* marks and a [link](guide/set-up.md).\n\n> a quote <!-- kept -->\n\n* an item[^n]\n\n[^n]: A note\n\n"
    .repeat(Math.ceil(length / 100))
    .slice(0, length);

test("short texts are read at once, long ones on another thread, and so are shorter ones of nothing but marks", async () => {
  const words = (length: number) => "some words ".repeat(length).slice(0, length);
  await work.run("sections", words(LONG - 1));
  await work.run("sections", `![ ${words(LONG - 200)}`);
  expect(work.done).toBe(0);
  await work.run("sections", words(LONG));
  expect(work.done).toBe(1);
  for (const marks of ["![", "|", "*a", "a\n\n"]) {
    const before = work.done;
    await work.run("sections", marks.repeat(LONG / 8));
    expect(work.done - before).toBe(1);
  }
});

/** Pages are long, and so would be the message of a matcher. */
const same = async (made: Promise<unknown>, expected: unknown) =>
  expect(JSON.stringify(await made) === JSON.stringify(expected)).toBe(true);

test("what another thread makes is what would be made at once", async () => {
  const base = page(LONG);
  const texts = { base, ours: `Ours\n\n${base}`, theirs: `${base}\n\nTheirs` };
  const targets = new Map([["guide/set-up.md", { id: "page1", kind: "page" as const }]]);
  const vars = { name: "Octavo" };
  const inputs = { space: { vars }, page: { vars: {} }, visitor: { claims: {} } };
  const markdown = `${base}\n\n{% if space.vars.name %}\n<code class="expression">space.vars.name</code>\n{% endif %}\n`;
  const reading = { markdown, targets, evaluation: { inputs, deterministicOnly: false }, uncommented: true };
  const before = work.done;
  await same(work.run("readDocument", reading), tasks.readDocument(reading));
  await same(work.run("readComment", markdown), tasks.readComment(markdown));
  await same(work.run("readMarkdown", reading), tasks.readMarkdown(reading));
  const shown = { ...reading, title: "A title" };
  await same(work.run("readShown", shown), tasks.readShown(shown));
  await same(work.run("readSource", markdown), tasks.readSource(markdown));
  const imported = { path: "guide/page.md", text: `${markdown}[file](../files/a.pdf)\n` };
  await same(work.run("readImported", imported), tasks.readImported(imported));
  const sent = {
    json: JSON.stringify(tasks.readDocument(reading)),
    title: "A",
    addresses: new Map([["page1", "a.md"]]),
  };
  await same(work.run("renderSent", sent), tasks.renderSent(sent));
  const inserted = { markdown, title: "A title", properties: { description: "Words", hidden: false } };
  await same(work.run("insertedText", inserted), tasks.insertedText(inserted));
  const known = { type: "document" as const, description: "Words" };
  const edit = {
    stored: base,
    markdown,
    formerTitle: "Title",
    properties: { emoji: "1f527", icon: "" },
    known,
  };
  await same(work.run("rewrittenText", edit), tasks.rewrittenText(edit));
  const rewording = {
    stored: base,
    sent: { markdown, isHeaded: false },
    title: "Note",
    formerTitle: "Title",
  };
  await same(work.run("reusableText", rewording), tasks.reusableText(rewording));
  await same(work.run("mergeMarkdown", texts), tasks.mergeMarkdown(texts));
  const conflict = { base, ours: base.replace("Words", "One"), theirs: base.replace("Words", "Two") };
  await same(work.run("mergeMarkdown", conflict), tasks.mergeMarkdown(conflict));
  const dispute = { texts: conflict, wanted: conflict.theirs };
  await same(work.run("decideConflicts", dispute), tasks.decideConflicts(dispute));
  const revert = { now: `New\n\n${base}`, former: base, keys: ["none"] };
  await same(work.run("revertBlocks", revert), tasks.revertBlocks(revert));
  await same(work.run("sections", base), tasks.sections(base));
  await same(work.run("referencesIn", base), tasks.referencesIn(base));
  await same(work.run("anchorsOf", base), tasks.anchorsOf(base));
  const named = { title: "A title", slug: "a-title", git_path: null, props: { description: "Words" } };
  const indexed = { page: named, text: base, key: "page1", prefix: "abcde" };
  await same(work.run("indexOf", indexed), await tasks.indexOf(indexed));
  expect(work.done - before).toBe(18);
});

test("links that nobody follows, or that an import needs no file for, stay on the other thread", async () => {
  const text = Array.from(
    { length: 6_000 },
    (_, at) => `[${at}](page-${at}.md) ![](files/${at % 3}.png)`,
  ).join("\n");
  expect(await work.run("referencesIn", text)).toHaveLength(5_000);
  const { links } = await work.run("readImported", { path: "guide/page.md", text });
  expect(links).toEqual(["guide/files/0.png", "guide/files/1.png", "guide/files/2.png"]);
});

test("what another thread makes of hostile pages is what would be made at once", async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const markdown = randomHostile(seeded(seed), LONG + 1000);
    const made = await work.run("readDocument", { markdown });
    expect(JSON.stringify(made) === JSON.stringify(tasks.readDocument({ markdown }))).toBe(true);
  }
});

test("work that takes too long, or too much memory, fails alone: others go on, and so does what comes later", async () => {
  const hurried = createWork({ long: LONG, deadline: 1 });
  const markdown = page(100_000);
  await expect(hurried.run("readDocument", { markdown })).rejects.toThrow(WorkFailed);
  await expect(hurried.run("readDocument", { markdown })).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  await hurried.close();
  const small = createWork({ long: LONG, memory: 24, threads: 1 });
  const results = await Promise.allSettled([
    small.run("readDocument", { markdown: "a\n\n".repeat(300_000) }),
    small.run("sections", page(LONG)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect((results[0] as PromiseRejectedResult).reason).toMatchObject({
    message: expect.stringContaining("memory"),
  });
  await small.close();
});

test("work waits its turn when all threads are busy, and is refused when the service stops", async () => {
  const one = createWork({ long: LONG, threads: 1 });
  const all = Array.from({ length: 5 }, (_, at) => one.run("sections", `${at} ${page(LONG)}`));
  const done = await Promise.all(all);
  expect(done.map(([first]) => first?.title)).toHaveLength(5);
  expect(one.done).toBe(5);
  const open = Promise.allSettled([one.run("sections", page(LONG)), one.run("sections", page(LONG))]);
  await one.close();
  for (const { status } of await open) expect(status).toBe("rejected");
});

test("a thread that is started before anybody needs it has read what others will have read", async () => {
  const early = createWork();
  await early.warm();
  const { done } = early;
  expect(done).toBeGreaterThan(0);
  expect(await early.run("sections", page(100_000))).not.toEqual([]);
  expect(early.done).toBe(done + 1);
  await early.close();
});
