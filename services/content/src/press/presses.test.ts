import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Order } from "@octavo/pdf/press";
import { afterEach, expect, test } from "vitest";
import { createKept } from "./kept.js";
import type { Part } from "./parts.js";
import { createPresses, type Presses, type PressesOptions } from "./presses.js";

const folders: string[] = [];
const open: Presses[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folderOf() {
  const folder = await mkdtemp(join(tmpdir(), "octavo-press-"));
  folders.push(folder);
  return folder;
}

async function pressesWith(options: Omit<PressesOptions, "folder"> = {}) {
  const folder = await folderOf();
  const presses = createPresses({ folder, ...options });
  open.push(presses);
  return { folder, presses };
}

const head: Part = { kind: "head", title: "Book", edition: [], language: "en", isExcerpt: true };

/** What a PDF of a page with this text is made of. */
function orderOf(
  markdown: string,
  before: () => Promise<void> = async () => undefined,
): () => Promise<Order> {
  async function* parts(): AsyncGenerator<Part> {
    await before();
    yield head;
    yield { kind: "page", id: "a", title: "A", depth: 0, reading: { markdown } };
  }
  return async () => ({ parts: parts(), image: async () => undefined });
}

const never = () => new AbortController().signal;

test("a PDF is made once for all who wait for it, and found again", async () => {
  const { presses } = await pressesWith();
  const wanted = { name: "one", organization: "acme", order: orderOf("Words") };
  const paths = await Promise.all([presses.make(wanted, never()), presses.make(wanted, never())]);
  expect(paths[0]).toBe(paths[1]);
  expect(await presses.make(wanted, never())).toBe(paths[0]);
  expect(presses.made).toBe(1);
  expect((await stat(paths[0])).size).toBeGreaterThan(1_000);
});

test("it goes on while one waits, and ends when the last of them has gone; who comes then is served", async () => {
  const { folder, presses } = await pressesWith();
  let began: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (began = resolve));
  const hangs = orderOf("Words", () => {
    began();
    return new Promise(() => undefined);
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const wanted = { name: "one", organization: "acme", order: hangs };
  const results = [presses.make(wanted, first.signal), presses.make(wanted, second.signal)];
  const ended = Promise.allSettled(results);
  await started;
  first.abort();
  second.abort();
  const again = await presses.make({ ...wanted, order: orderOf("Words") }, never());
  expect((await stat(again)).isFile()).toBe(true);
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await readdir(folder)).toEqual(["one.pdf"]);
});

test("what takes too long, or too much memory, is refused with 503, and others go on", async () => {
  const hurried = await pressesWith({ deadline: 1 });
  const wanted = { name: "one", organization: "acme", order: orderOf("Words") };
  await expect(hurried.presses.make(wanted, never())).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    message: "PDF: takes too long to be made",
  });
  const small = await pressesWith({ memory: 32 });
  await expect(small.presses.make(wanted, never())).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const { presses } = await pressesWith();
  await expect(presses.make(wanted, never())).resolves.toContain("one.pdf");
});

test("no organization takes more than half of the places that are free", async () => {
  const { presses } = await pressesWith();
  const stop = new AbortController();
  const hangs = orderOf("", () => new Promise(() => undefined));
  const all = Array.from({ length: 20 }, (_, at) =>
    presses.make({ name: `${at}`, organization: "acme", order: hangs }, stop.signal),
  );
  const settled = Promise.allSettled(all);
  await expect(all.at(-1)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    details: { reason: "busy" },
  });
  const other = { name: "other", organization: "beta", order: orderOf("Words") };
  await expect(presses.make(other, never())).resolves.toContain("other.pdf");
  stop.abort();
  await settled;
});

test("PDFs are kept up to so many bytes, those that were fetched last", async () => {
  const folder = await folderOf();
  const kept = createKept(folder, 2_500);
  for (const [index, name] of ["a", "b", "c"].entries()) {
    await writeFile(await kept.draft(name), "x".repeat(1_000));
    await kept.keep(name);
    const used = new Date(Date.now() - (10 - index) * 1_000);
    await utimes(join(folder, `${name}.pdf`), used, used);
  }
  expect(await kept.find("a")).toBeUndefined();
  expect(await kept.find("b")).toBeDefined();
  await writeFile(await kept.draft("d"), "x".repeat(1_000));
  await kept.keep("d");
  expect((await readdir(folder)).sort()).toEqual(["b.pdf", "d.pdf"]);
});
