import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { createClient, eventually } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";
import { type Listed, tableOfContents } from "./table-of-contents.js";

/**
 * `npm run check-corpus -- <folder> [<folder> …]`: starts Octavo, imports each folder by git over HTTP, and compares
 * what the API returns with the files: every page of SUMMARY.md in its order, with its title, its nesting and its
 * path, and the markdown of every page byte for byte. The table of contents is read here by other means than the
 * import's, so that a mistake in one shows. Of a folder without a SUMMARY.md, every text has to be a page. Ends with 1
 * when anything differs.
 */
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("Usage: npm run check-corpus -- <folder> [<folder> …]");
  process.exit(64);
}
const MOST_PRINTED = 50;
const stack = await startStack();
const call = createClient(stack);
let passed = 0;
try {
  for (const folder of folders.map((name) => resolve(name))) {
    const differences: string[] = [];
    try {
      await check(folder, (what) => differences.push(what));
    } catch (error) {
      differences.push(`the check broke off: ${error instanceof Error ? error.stack : error}`);
    }
    for (const what of differences.slice(0, MOST_PRINTED)) console.error(`${folder}: ${what}`);
    if (differences.length > MOST_PRINTED)
      console.error(`${folder}: ${differences.length - MOST_PRINTED} more differences`);
    if (differences.length === 0) passed += 1;
  }
} finally {
  await stack.stop();
}
console.log(`${passed} passed, ${folders.length - passed} failed`);
process.exitCode = passed < folders.length ? 1 : 0;

interface Page {
  id: string;
  type: string;
  title: string;
  path?: string;
  git?: { path: string };
  pages?: Page[];
}
type Found = Listed & { id: string };
type Report = (what: string) => void;

async function check(folder: string, differs: Report): Promise<void> {
  const began = Date.now();
  const space = await importFolder(folder);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  const found = flatten(body.pages, { depth: 0, above: "", differs });
  const summary = join(folder, "SUMMARY.md");
  if (existsSync(summary)) compareEntries(tableOfContents(await readFile(summary, "utf8")), found, differs);
  else await compareFiles(folder, found, differs);
  const bytes = await compareTexts({ folder, space, found, differs });
  const pages = found.filter(({ file }) => file).length;
  console.log(
    `${folder}: ${pages} pages of ${found.length} entries, ${bytes} bytes, imported in ${seconds} s`,
  );
}

/** Imports a folder into a new space and returns its id. */
async function importFolder(folder: string): Promise<string> {
  const repository = await serveRepository(folder);
  try {
    const { body: orgs } = await call<{ items: { id: string }[] }>("GET", "/orgs");
    const { body: space } = await call<{ id: string }>("POST", `/orgs/${orgs.items[0]!.id}/spaces`, {});
    await call("POST", `/spaces/${space.id}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    interface Info {
      operation: { state: string; error?: string; skipped?: { reason: string; count: number }[] };
    }
    const operation = await eventually(async () => {
      const { body } = await call<Info>("GET", `/spaces/${space.id}/git/info`);
      return body.operation.state === "running" ? undefined : body.operation;
    }, 300_000);
    if (operation.state !== "success") throw new Error(operation.error);
    for (const { reason, count } of operation.skipped ?? []) console.log(`${folder}: ${count} ${reason}`);
    return space.id;
  } finally {
    await repository.close();
  }
}

/** Compares a table of contents with the pages, entry by entry. */
function compareEntries(listed: Listed[], found: Found[], differs: Report): void {
  if (listed.length !== found.length)
    differs(`SUMMARY.md has ${listed.length} entries, the space ${found.length}`);
  listed.forEach(({ depth, title, file }, at) => {
    const wanted = { depth, title, ...(file && { file }) };
    const { id: _, ...entry } = found[at] ?? { id: "" };
    const isSame =
      "depth" in entry &&
      entry.depth === depth &&
      // Without a title, the page's own one is taken.
      (title === "" || entry.title === title) &&
      entry.file === wanted.file;
    if (!isSame) differs(`entry ${at + 1} is ${JSON.stringify(entry)}, not ${JSON.stringify(wanted)}`);
  });
}

/** Compares the texts of a folder with the pages, where there is no table of contents. */
async function compareFiles(folder: string, found: Found[], differs: Report): Promise<void> {
  const pages = new Set(found.map(({ file }) => file));
  for (const path of await readdir(folder, { recursive: true })) {
    const isHidden = path.split("/").some((part) => part.startsWith("."));
    if (/\.(md|markdown)$/i.test(path) && !isHidden && !pages.has(path)) differs(`${path} is no page`);
  }
}

/** Compares the markdown of each page with its file, an absent one being empty; returns how many bytes were the same. */
async function compareTexts(given: {
  folder: string;
  space: string;
  found: Found[];
  differs: Report;
}): Promise<number> {
  const { folder, space, found, differs } = given;
  let bytes = 0;
  for (const { id, file } of found) {
    if (!file) continue;
    const { body } = await call<{ markdown?: string }>("GET", `/spaces/${space}/content/page/${id}`);
    const path = join(folder, file);
    const source = existsSync(path) ? await readFile(path) : Buffer.alloc(0);
    if (!Buffer.from(body.markdown ?? "").equals(source)) differs(`${file} is not the same bytes`);
    else bytes += source.length;
  }
  return bytes;
}

/** The pages as entries; each path has to be its parents' slugs and its own. */
function flatten(
  pages: Page[],
  { depth, above, differs }: { depth: number; above: string; differs: Report },
): Found[] {
  return pages.flatMap(({ id, type, title, path, git, pages: below = [] }) => {
    if (path !== undefined && above && !path.startsWith(`${above}/`))
      differs(`${path} is not below ${above}`);
    const entry = {
      depth,
      title: type === "computed" ? "computed" : title,
      ...(git && { file: git.path }),
      id,
    };
    return [entry, ...flatten(below, { depth: depth + 1, above: path ?? above, differs })];
  });
}
