import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

interface Document {
  /** Relative to the root. */
  path: string;
  text: string;
}

/** A link to a file of the project, with the heading it leads to, if it does. */
interface Link {
  path: string;
  heading?: string;
}

/**
 * What is wrong with the documents of a project: those at its root and all below `docs`. Each path that they name and each
 * link has to lead somewhere, headings included; every architecture decision stands in its index with title and status; and every
 * behaviour document is linked from an index.
 */
export function problemsOfDocuments(root: string): string[] {
  const documents = markdownIn(root).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  return [
    ...documents.flatMap((document) => missingPaths(root, document)),
    ...documents.flatMap((document) => brokenLinks(root, document)),
    ...problemsOfDecisions(documents),
    ...unlinkedBehaviour(documents),
  ];
}

/** Documents at the root and below `docs`, sorted. */
function markdownIn(root: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return folder === "" && entry.name !== "docs" ? [] : below(path);
      return entry.name.endsWith(".md") ? [path] : [];
    });
  return below("").sort();
}

/** Paths in back-quotes or in a tree that begin with a file or folder of the root, and are not there. */
function missingPaths(root: string, { path: document, text }: Document): string[] {
  const inRoot = new Set(readdirSync(root));
  const named = [...pathsInQuotes(text, inRoot), ...pathsInTree(text)];
  return [...new Set(named)]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${document} names ${path}, which does not exist`);
}

/** `gateway/routes.json`, `services/content`, `turbo.json`; not `services/<name>`, nor what only looks like a path. */
function pathsInQuotes(text: string, inRoot: Set<string>): string[] {
  return [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*)\/?`/g)]
    .map(([, path]) => path!)
    .filter(
      (path) =>
        inRoot.has(path.split("/")[0]!) ||
        /^(packages|services|docs|deploy|tests|bench|scripts)\//.test(path),
    )
    .filter((path) => !/^(node_modules|\.env|\.octavo)/.test(path));
}

/** The lines of a tree: two blanks of indentation a level, a name, then at least two blanks and what it is. */
function pathsInTree(text: string): string[] {
  const [, tree = ""] = /```tree\n(.*?)```/s.exec(text) ?? [];
  const parents: string[] = [];
  return tree
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      const [, indent = "", names = ""] = /^( *)(.*?)(?: {2,}.*)?$/.exec(line) ?? [];
      const level = indent.length / 2;
      parents.length = level;
      const paths = names.split(" ").map((name) => [...parents, name.replace(/\/$/, "")].join("/"));
      parents[level] = names.replace(/\/$/, "");
      return paths;
    });
}

function brokenLinks(root: string, document: Document): string[] {
  return linksIn(document).flatMap(({ path, heading }) => {
    const target = join(root, path);
    if (!existsSync(target)) return [`${document.path} links to ${path}, which does not exist`];
    if (heading === undefined || !statSync(target).isFile()) return [];
    if (headingsIn(readFileSync(target, "utf8")).has(heading)) return [];
    return [`${document.path} links to #${heading} in ${path}, which has no such heading`];
  });
}

/** The links of a document to files of the project; a bare `#heading` leads to the document itself. */
function linksIn({ path: document, text }: Document): Link[] {
  return [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, path, heading]) => ({
      path: path ? relative(".", join(dirname(document), path)) : document,
      heading,
    }),
  );
}

/** The anchors of a document, made of its headings as GitHub and GitLab make them. */
function headingsIn(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The text without blocks of code, where nothing is a link or a heading. */
const withoutCode = (text: string): string => text.replace(/^```.*?^```$/gms, "");

const DECISIONS = "docs/adr/";
const STATUS = /^(proposed|accepted|superseded|rejected)\b/;

/** Decisions without number, status or date, and those whose line in the index is missing or says something else. */
function problemsOfDecisions(documents: Document[]): string[] {
  const index = `${DECISIONS}README.md`;
  const decisions = documents.filter(({ path }) => path.startsWith(DECISIONS) && path !== index);
  if (decisions.length === 0) return [];
  const listed = documents.find(({ path }) => path === index)?.text ?? "";
  const rows = new Map([...listed.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+?) \| (.+?) \|$/gm)].map(rowOf));
  return decisions.flatMap(({ path, text }) => {
    const name = path.slice(DECISIONS.length);
    const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(text) ?? [];
    const status = /^- Status: (.+)$/m.exec(text)?.[1] ?? "";
    const problems: string[] = [];
    if (!number || !name.startsWith(`${number}-`))
      problems.push("needs its number in its title, as in its name");
    if (!STATUS.test(status)) problems.push("needs a status");
    if (!/^- Date: \d{4}-\d{2}-\d{2}/m.test(text)) problems.push("needs a date");
    const row = rows.get(name);
    if (!row) problems.push(`is not in ${index}`);
    else if (row.title !== title) problems.push(`has another title in ${index}`);
    else if (row.status !== inIndex(status)) problems.push(`has another status in ${index}`);
    return problems.map((problem) => `${path} ${problem}`);
  });
}

const rowOf = ([, number, name, title, status]: RegExpExecArray) =>
  [name!, { number: number!, title: title!, status: status! }] as const;

/** A status as the index shows it: the numbers of other decisions without their addresses. */
const inIndex = (status: string): string => status.replace(/\[(\d{4})\]\([^)]*\)/g, "$1");

const BEHAVIOUR = "docs/behaviour/";
const INDEXES = ["README.md", "docs/README.md", `${BEHAVIOUR}README.md`];

function unlinkedBehaviour(documents: Document[]): string[] {
  const linked = new Set(
    documents
      .filter(({ path }) => INDEXES.includes(path))
      .flatMap((document) => linksIn(document).map(({ path }) => path)),
  );
  return documents
    .filter(({ path }) => path.startsWith(BEHAVIOUR) && !linked.has(path))
    .map(({ path }) => `${path} is linked from none of ${INDEXES.join(", ")}`);
}
