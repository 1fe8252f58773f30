import { posix } from "node:path";
import { hasTooManyLines, MOST_LINES } from "@octavo/markdown/lines";
import { extractLinks } from "@octavo/markdown/links";
import { readSettings, type Settings } from "@octavo/markdown/settings";
import { type PageSource, readSource } from "@octavo/markdown/source";
import { parseSummary, type Summary } from "@octavo/markdown/summary";
import { buildTree, type TreeNode, walkTree } from "@octavo/markdown/tree";
import { hashOf } from "../store/bodies.js";
import { MAX_NESTING } from "../store/entries.js";
import { GitFailure } from "./failure.js";
import type { RepositoryFile } from "./objects.js";
import type { Repository } from "./repository.js";

/** A page's file, read once: its text is already kept under `hash`. */
export interface SourceFile extends RepositoryFile {
  hash: string;
  source: PageSource;
}

/** The content of a project directory, without the texts. */
export interface SourceTree {
  nodes: TreeNode[];
  pages: Map<string, SourceFile>;
  reusable: Map<string, SourceFile>;
  assets: RepositoryFile[];
  /** Text of `.gitbook/vars.yaml`. */
  variables?: string;
  /** Files that SUMMARY.md names and the repository lacks. */
  missing: string[];
}

/** Takes texts in as they are read, so that only a few are in memory. */
export type KeepTexts = (texts: string[]) => Promise<void>;

const SETTINGS = ".gitbook.yaml";
const ASSETS = ".gitbook/assets/";
const INCLUDES = ".gitbook/includes/";
const VARIABLES = ".gitbook/vars.yaml";
const MARKDOWN = /\.(md|markdown)$/i;
/** Source: the limits of git sync. */
const MAX_PAGE = 10 * 1024 * 1024;
const BATCH_BYTES = 2 * 1024 * 1024;

/**
 * Reads the settings, the table of contents and the pages of a commit. With a SUMMARY.md its pages are the files that
 * it names; without one the tree is inferred from the folders. Assets are what lies in `.gitbook/assets` and what the
 * pages point to.
 */
export async function readSourceTree(
  repository: Repository,
  directory: string,
  keep: KeepTexts,
): Promise<SourceTree> {
  const { root, readme, summary: summaryFile } = await settingsOf(repository, directory);
  const files = new Map((await repository.files(joinPath(directory, root))).map((file) => [file.path, file]));
  const summary = await summaryOf(repository, files.get(summaryFile));
  const named = summary ? filesIn(summary) : inferable(files, summaryFile);
  const wanted = [...named].flatMap((path) => files.get(path) ?? []);
  const includes = [...files.values()].filter(({ path }) => path.startsWith(INCLUDES) && MARKDOWN.test(path));
  const referenced = new Set<RepositoryFile>();
  const refer = (path: string) => void (files.has(path) && referenced.add(files.get(path)!));
  const pages = await readFiles(repository, wanted, keep, refer);
  const reusable = await readFiles(repository, includes, keep, refer);
  const meta = (file: string) => pages.get(file)?.source;
  const { nodes, missing } = buildTree({ summary, files: files.keys(), readme, summaryFile, meta });
  if (nodes.length === 0) throw new GitFailure("The project directory holds no pages");
  checkNesting(nodes);
  const assets = [...files.values()].filter(
    (file) =>
      file.path.startsWith(ASSETS) ||
      (referenced.has(file) && !MARKDOWN.test(file.path) && !hidden(file.path)),
  );
  const variables = files.has(VARIABLES) ? await textOf(repository, files.get(VARIABLES)!) : undefined;
  return { nodes, pages, reusable, assets, variables, missing: missing.map(({ file }) => file) };
}

function checkNesting(nodes: TreeNode[]) {
  const levels = new Map<TreeNode, number>();
  for (const { node, parent } of walkTree(nodes)) {
    const level = (parent ? levels.get(parent)! : 0) + 1;
    if (level > MAX_NESTING)
      throw new GitFailure(`Pages nest at most ${MAX_NESTING} deep, and ${node.title} would be deeper`);
    levels.set(node, level);
  }
}

async function settingsOf(repository: Repository, directory: string): Promise<Settings> {
  const files = await repository.files(directory);
  const file = files.find(({ path }) => path === SETTINGS);
  return readSettings(file && (await textOf(repository, file)));
}

async function summaryOf(
  repository: Repository,
  file: RepositoryFile | undefined,
): Promise<Summary | undefined> {
  return file && parseSummary(await textOf(repository, file));
}

function filesIn(summary: Summary): Set<string> {
  const files = new Set<string>();
  const open = [...summary.nodes];
  for (const node of open) {
    if (node.kind === "page" && node.file) files.add(node.file);
    open.push(...node.children);
  }
  return files;
}

const hidden = (path: string) => path.split("/").some((part) => part.startsWith("."));
const inferable = (files: Map<string, RepositoryFile>, summaryFile: string) =>
  new Set([...files.keys()].filter((path) => MARKDOWN.test(path) && !hidden(path) && path !== summaryFile));

const joinPath = (...parts: string[]) => parts.filter(Boolean).join("/").replace(/\/+$/, "");

async function readFiles(
  repository: Repository,
  files: RepositoryFile[],
  keep: KeepTexts,
  refer: (path: string) => void,
) {
  const tooLarge = files.filter(({ size }) => size > MAX_PAGE).map(({ path }) => path);
  if (tooLarge.length > 0) throw new GitFailure(`Pages of more than 10 MB: ${tooLarge.join(", ")}`);
  const read = new Map<string, SourceFile>();
  let batch: string[] = [];
  let bytes = 0;
  let at = 0;
  // The texts of one batch are kept while the next is read.
  let keeping = Promise.resolve();
  const hand = async (texts: string[]) => {
    await keeping;
    keeping = keep(texts);
    keeping.catch(() => undefined);
  };
  for await (const content of repository.contents(files.map(({ oid }) => oid))) {
    const file = files[at++]!;
    const text = decode(content, file.path);
    const { path, oid, size } = file;
    read.set(path, { path, oid, size, hash: hashOf(text), source: apart(readSource(text)) });
    for (const { path } of extractLinks(text)) refer(posix.join(posix.dirname(file.path), path));
    batch.push(text);
    bytes += content.length;
    if (bytes > BATCH_BYTES) {
      await hand(batch);
      batch = [];
      bytes = 0;
    }
  }
  if (at < files.length) throw new GitFailure("The repository could not be read by git");
  await hand(batch);
  await keeping;
  return read;
}

/** A copy. A string that was cut from a text keeps the whole text in memory. */
const apart = (source: PageSource): PageSource => JSON.parse(JSON.stringify(source));

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(content: Buffer, path: string): string {
  let text: string | undefined;
  try {
    text = utf8.decode(content);
  } catch {
    // refused below
  }
  if (text === undefined || text.includes("\0")) throw new GitFailure(`${path} is not text in UTF-8`);
  if (hasTooManyLines(text)) throw new GitFailure(`${path} has more than ${MOST_LINES} lines`);
  return text;
}

async function textOf(repository: Repository, file: RepositoryFile): Promise<string> {
  if (file.size > MAX_PAGE) throw new GitFailure(`${file.path} is larger than 10 MB`);
  for await (const content of repository.contents([file.oid])) return decode(content, file.path);
  throw new GitFailure("The repository could not be read by git");
}
