import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { createClient, eventually } from "../tests/harness/client.js";
import { startStack } from "../tests/harness/stack.js";

/**
 * `npm run check-corpus -- <folder> [<folder> …]`: starts Octavo, imports each folder by git over HTTP, and compares
 * what the API answers with the files: every page of SUMMARY.md in its order, with its title, its nesting and its
 * path, and the markdown of every page byte for byte. The table of contents is read here by other means than the
 * import's, so that a mistake in one shows.
 */
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("Usage: npm run check-corpus -- <folder with a SUMMARY.md> [<folder> …]");
  process.exit(64);
}
const stack = await startStack();
const failures: string[] = [];
try {
  for (const folder of folders) failures.push(...(await check(resolve(folder))));
} finally {
  await stack.stop();
}
for (const failure of failures.slice(0, 50)) console.error(failure);
console.log(
  `${folders.length - new Set(failures.map((line) => line.split(":")[0])).size} passed, ${failures.length} failed`,
);
process.exitCode = failures.length > 0 ? 1 : 0;

interface Page {
  id: string;
  type: string;
  title: string;
  path?: string;
  git?: { path: string };
  pages?: Page[];
}
interface Listed {
  depth: number;
  title: string;
  file?: string;
}

async function check(folder: string): Promise<string[]> {
  const call = createClient(stack);
  const repository = await serveRepository(folder);
  const wrong: string[] = [];
  const differs = (what: string) => wrong.push(`${folder}: ${what}`);
  try {
    const { body: orgs } = await call<{ items: { id: string }[] }>("GET", "/orgs");
    const { body: space } = await call<{ id: string }>("POST", `/orgs/${orgs.items[0]!.id}/spaces`, {});
    const began = Date.now();
    await call("POST", `/spaces/${space.id}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    const operation = await eventually(async () => {
      const { body } = await call<{ operation: { state: string; error?: string } }>(
        "GET",
        `/spaces/${space.id}/git/info`,
      );
      return body.operation.state === "running" ? undefined : body.operation;
    }, 300_000);
    if (operation.state !== "success") return [`${folder}: ${operation.error}`];
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space.id}/content/pages`);
    const wanted = tableOfContents(await readFile(join(folder, "SUMMARY.md"), "utf8"));
    const found = flatten(body.pages, 0, "", differs);
    if (wanted.length !== found.length)
      differs(`SUMMARY.md has ${wanted.length} entries, the space ${found.length}`);
    wanted.forEach((entry, at) => {
      const page = found[at];
      if (
        JSON.stringify(entry) !==
        JSON.stringify(page && { depth: page.depth, title: page.title, file: page.file })
      ) {
        differs(`entry ${at + 1} is ${JSON.stringify(page)}, not ${JSON.stringify(entry)}`);
      }
    });
    let bytes = 0;
    for (const { id, file } of found) {
      if (!file) continue;
      const { body: page } = await call<{ markdown: string }>(
        "GET",
        `/spaces/${space.id}/content/page/${id}`,
      );
      const source = await readFile(join(folder, file));
      bytes += source.length;
      if (!Buffer.from(page.markdown).equals(source)) differs(`${file} is not the same bytes`);
    }
    const pages = found.filter(({ file }) => file).length;
    console.log(
      `${folder}: ${pages} pages of ${found.length} entries, ${bytes} bytes, imported in ${seconds} s, ${wrong.length} differences`,
    );
    return wrong;
  } finally {
    await repository.close();
  }
}

/** The entries of a table of contents, line by line; a group is an entry as well. */
function tableOfContents(summary: string): Listed[] {
  const listed: Listed[] = [];
  const indents: number[] = [];
  let base = 0;
  let fenced = false;
  for (const line of summary.split("\n")) {
    if (/^\s*([-*]\s+)?```/.test(line)) {
      if (!fenced) listed.push({ depth: depthOf(line, indents, base), title: "computed" });
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    const group = /^##\s+(.*?)\s*(<a [^>]*><\/a>)?\s*$/.exec(line);
    if (group) {
      listed.push({ depth: 0, title: plain(group[1]!) });
      base = 1;
      indents.length = 0;
      continue;
    }
    const item = /^\s*[-*]\s+\[(.*)\]\((.*)\)\s*$/.exec(line);
    if (!item) continue;
    const target = item[2]!.replace(/\s+"[^"]*"$/, "").replace(/^<|>$/g, "");
    const page = /\.md$/.test(target) && !/^[a-z]+:/.test(target);
    listed.push({
      depth: depthOf(line, indents, base),
      title: plain(item[1]!),
      ...(page && { file: plain(decodeURIComponent(target)) }),
    });
  }
  return listed;
}

function depthOf(line: string, indents: number[], base: number): number {
  const indent = /^\s*/.exec(line)![0].length;
  while (indents.length > 0 && indents.at(-1)! >= indent) indents.pop();
  indents.push(indent);
  return base + indents.length - 1;
}

/** Without the backslashes that markdown needs and readers do not see. */
function plain(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

type Found = Listed & { id: string };

/** The pages as entries; each path has to be its parents' slugs and its own. */
function flatten(pages: Page[], depth: number, above: string, differs: (what: string) => void): Found[] {
  return pages.flatMap((page) => {
    const { id, type, title, path, git } = page;
    if (path !== undefined && above && !path.startsWith(`${above}/`))
      differs(`${path} is not below ${above}`);
    const entry = {
      depth,
      title: type === "computed" ? "computed" : title,
      ...(git && { file: git.path }),
      id,
    };
    return [entry, ...flatten(page.pages ?? [], depth + 1, path ?? above, differs)];
  });
}
