import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { createClient, eventually } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";
import { type Listed, tableOfContents } from "./table-of-contents.js";

/**
 * `npm run check-corpus -- <folder> [<folder> …]`: starts Octavo, imports each folder by git over HTTP, and compares
 * what the API returns with the files: every page of SUMMARY.md in its order, with its title, its nesting and its
 * path, and the markdown of every page byte for byte. The table of contents is read here by other means than the
 * import's, so that a mistake in one shows. Of a folder without a SUMMARY.md, every text has to be a page. Then it
 * exports the space to an empty repository, compares the bytes of every file there, imports that into another space,
 * which has to show the same tree and the same bytes, edits one page through a change request, and exports that: no
 * other file may differ. Imported once more, both spaces show the same again. Ends with 1 when anything differs.
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
  await checkExport({ folder, space, found, differs });
}

/** Exports a space, imports that, and exports it again after one edit. */
async function checkExport(given: { folder: string; space: string; found: Found[]; differs: Report }) {
  const { folder, space, found, differs } = given;
  const target = await serveRepository();
  try {
    const exportAll = async () => {
      const began = Date.now();
      const body = { url: target.url, ref: "refs/heads/main", commitMessage: "Export" };
      await call("POST", `/spaces/${space}/git/export`, body);
      await ended(space);
      return ((Date.now() - began) / 1000).toFixed(1);
    };
    const all = await exportAll();
    const exported = await textsIn(target.folder);
    for (const [path, text] of exported) {
      const source = join(folder, path);
      if (!existsSync(source) ? path !== "SUMMARY.md" : !(await readFile(source)).equals(text))
        differs(`${path} was exported with other bytes`);
    }
    for (const { file } of found)
      if (file && existsSync(join(folder, file)) && !exported.has(file)) differs(`${file} was not exported`);
    const other = await newSpace();
    await importAgain({ target, space, other, differs });
    const { body: again } = await call<{ pages: Page[] }>("GET", `/spaces/${other}/content/pages`);
    const foundAgain = flatten(again.pages, { depth: 0, above: "", differs });
    await compareTexts({ folder, space: other, found: foundAgain, differs });
    const page = found.find(({ file }) => file && exported.has(file))!;
    const { body: request } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, {});
    const at = `/spaces/${space}/change-requests/${request.id}`;
    const { body } = await call<{ markdown: string }>("GET", `/spaces/${space}/content/page/${page.id}`);
    const document = { markdown: `${body.markdown}\n\nEdited.\n` };
    await call("POST", `${at}/content`, { changes: [{ operation: "update_page", page: page.id, document }] });
    await call("POST", `${at}/merge`, {});
    const one = await exportAll();
    const now = await textsIn(target.folder);
    const changed = [...new Set([...now.keys(), ...exported.keys()])].filter(
      (path) => !(now.get(path) && exported.get(path)?.equals(now.get(path)!)),
    );
    if (changed.join() !== page.file) differs(`an edit of ${page.file} changed ${changed.join(", ")}`);
    const before = await idsOf(other);
    await importAgain({ target, space, other, differs });
    if ((await idsOf(other)) !== before) differs("the import of an edit made other pages");
    const same = foundAgain.find(({ file }) => file === page.file)!;
    const shown = await call<{ markdown: string }>("GET", `/spaces/${other}/content/page/${same.id}`);
    if (shown.body.markdown !== document.markdown) differs(`${page.file} came back with another text`);
    console.log(`${folder}: ${exported.size} files exported in ${all} s, one edited page in ${one} s`);
  } finally {
    await target.close();
  }
}

/** Imports what was exported into another space, which has to show the same tree. */
async function importAgain(given: { target: GitServer; space: string; other: string; differs: Report }) {
  const { target, space, other, differs } = given;
  await call("POST", `/spaces/${other}/git/import`, { url: target.url, ref: "refs/heads/main" });
  await ended(other);
  if ((await treeOf(other)) !== (await treeOf(space))) differs("the import of the export shows another tree");
}

/** The ids of the pages of a space, in their order. */
async function idsOf(space: string): Promise<string> {
  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  return flatten(body.pages, { depth: 0, above: "", differs: () => undefined })
    .map(({ id }) => id)
    .join();
}

/** The files of a work tree, by their paths. */
async function textsIn(folder: string): Promise<Map<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath ?? entry.path, entry.name));
    if (entry.isFile() && !/^\.git(\/|$)/.test(path)) texts.set(path, await readFile(join(folder, path)));
  }
  return texts;
}

/** The tree of a space without what is another in each space. */
async function treeOf(space: string): Promise<string> {
  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  const shown = ({ type, title, path, git, pages = [] }: Page): unknown => [
    type,
    title,
    path,
    git,
    pages.map(shown),
  ];
  return JSON.stringify(body.pages.map(shown));
}

async function newSpace(): Promise<string> {
  const { body: orgs } = await call<{ items: { id: string }[] }>("GET", "/orgs");
  return (await call<{ id: string }>("POST", `/orgs/${orgs.items[0]!.id}/spaces`, {})).body.id;
}

interface Operation {
  state: string;
  error?: string;
  skipped?: { reason: string; count: number }[];
}

/** The git operation of a space, when it has ended well. */
async function ended(space: string): Promise<Operation> {
  const operation = await eventually(async () => {
    const { body } = await call<{ operation: Operation }>("GET", `/spaces/${space}/git/info`);
    return body.operation.state === "running" ? undefined : body.operation;
  }, 300_000);
  if (operation.state !== "success") throw new Error(operation.error);
  return operation;
}

/** Imports a folder into a new space and returns its id. */
async function importFolder(folder: string): Promise<string> {
  const repository = await serveRepository(folder);
  try {
    const space = await newSpace();
    await call("POST", `/spaces/${space}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    const { skipped = [] } = await ended(space);
    for (const { reason, count } of skipped) console.log(`${folder}: ${count} ${reason}`);
    return space;
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
