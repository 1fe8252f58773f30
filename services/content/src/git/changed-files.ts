import type { PageSource } from "@octavo/markdown/source/source";
import type { FileProps } from "../db/tables/entries.js";
import { pruned } from "../documents/properties.js";
import { MAX_FILE } from "../files/receive.js";
import type { Changes } from "../revisions/commit.js";
import { keepBodies } from "../store/bodies.js";
import { entriesAtGitPaths } from "../store/entries.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { receiveAssets } from "./assets.js";
import type { ChangedFile } from "./compare-trees.js";
import { decode } from "./decode.js";
import { coversAt, sourceFields } from "./entries.js";
import { GitError } from "./failure.js";
import { ASSETS } from "./files.js";
import type { RepositoryFile } from "./objects.js";
import * as operations from "./operations.js";
import { addReadings, type Reading, readingsOf } from "./readings.js";
import { reconcile } from "./reconcile.js";
import type { Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import { SkippedEntries } from "./skipped.js";
import { type LastImport, lastImportOf } from "./state.js";
import { joinPath, SETTINGS, settingsIn, surroundingsIn, VARIABLES } from "./surroundings.js";
import { contentsOf, readText } from "./texts.js";

/** Files, and bytes of them, that are held in memory; a commit that changes more is imported as a whole. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;

/** Where the content lies in the repository. */
interface Place {
  last: LastImport;
  folder: string;
}

/** A file of the commit that is one of the space's, with what it was in the commit before. */
interface Changed extends RepositoryFile {
  /** What the import before read in it, if it is a text. */
  before: Reading | undefined;
}

/** What the changed files hold. */
interface Contents {
  texts: Map<string, Reading & { text: string }>;
  assets: Map<string, { oid: string; body: string; props: FileProps }>;
}

/**
 * Imports a commit that differs from the one before in the contents of files alone, by what it costs to read those: no
 * file came or went, and neither the order of the pages nor what becomes of a file depends on what changed. The outcome is
 * that of an import of all files. Returns false, with nothing changed, when it takes such an import.
 */
export async function importChangedFiles(
  ctx: Ctx,
  operation: operations.Operation,
  request: ImportRequest,
  { repository, signal }: { repository: Repository; signal: AbortSignal },
): Promise<boolean> {
  const { id, space } = operation;
  // Who forces an import wants to be sure of it.
  if (request.force || request.standalone) return false;
  const { repoProjectDirectory: directory = "" } = request;
  const last = await lastImportOf(ctx, space, directory);
  if (!last) return false;
  const place = { last, folder: joinPath(directory, settingsIn(surroundingsIn(last)).root) };
  const changes = await changesOf(repository, place);
  const files = changes && (await knownAmong(ctx, repository, space, changes));
  if (!files) return false;
  await operations.reach(ctx, id, "content_process", files.length);
  const contents = await read(ctx, repository, files);
  if (!contents || !(await keepsTree(ctx, { space, repository, place, files, contents }))) return false;
  await operations.noteSkipped(ctx, id, last.skipped ?? []);
  await operations.reach(ctx, id, "finalize");
  signal.throwIfAborted();
  return reconcile(ctx, {
    operation,
    request,
    repository,
    surroundings: surroundingsIn(last),
    difference: async (ctx, head) =>
      head.revision === last.revision ? differenceBy(ctx, space, contents) : undefined,
    keepReadings: (ctx) => addReadings(ctx, space, [...contents.texts.values()]),
  });
}

/** The files that differ, by their paths in the space; undefined when more than the contents of some differs. */
async function changesOf(
  repository: Repository,
  { last, folder }: Place,
): Promise<Map<string, ChangedFile> | undefined> {
  const { directory } = last;
  const root = folder.slice(directory.length).replace(/^\//, "");
  const { summary } = settingsIn(surroundingsIn(last));
  const changed = new Map<string, ChangedFile>();
  try {
    for await (const file of repository.changesSince(last.commit, directory)) {
      if (file.path === SETTINGS) return undefined;
      if (root && !file.path.startsWith(`${root}/`)) continue;
      const path = root ? file.path.slice(root.length + 1) : file.path;
      if (path === summary || path === VARIABLES || file.kind === undefined) return undefined;
      // Links and submodules are left out, whatever they lead to.
      if (file.kind === "file" && file.oid !== file.oidBefore) changed.set(path, { ...file, path });
      if (changed.size > MOST_FILES) return undefined;
    }
    return changed;
  } catch (error) {
    // The clone is a new one, which has this commit alone.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Those that the space has; undefined when one was not read as it was, or they are too large. */
async function knownAmong(
  ctx: Ctx,
  repository: Repository,
  space: string,
  changes: Map<string, ChangedFile>,
): Promise<Changed[] | undefined> {
  const kinds = new Map<string, Set<Entry["kind"]>>();
  for (const { git_path, kind } of await entriesAtGitPaths(ctx, { branch: space }, [...changes.keys()]))
    kinds.set(git_path!, (kinds.get(git_path!) ?? new Set()).add(kind));
  const readings = await readingsOf(ctx, space, [...kinds.keys()]);
  // What is no entry of the space is nothing that it takes from a repository, whatever is in it.
  const known = [...changes.values()].filter(({ path }) => kinds.has(path));
  const sizes = await repository.sizes(known.map(({ oid }) => oid));
  let bytes = 0;
  const files: Changed[] = [];
  for (const [at, { path, oid, oidBefore }] of known.entries()) {
    const [kind, ...others] = kinds.get(path)!;
    const before = kind === "file" ? undefined : readings.get(path);
    const size = sizes[at];
    if (others.length > 0 || size === undefined || size > MAX_FILE) return undefined;
    if (kind !== "file" && before?.oid !== oidBefore) return undefined;
    bytes += size;
    files.push({ path, oid, size, before });
  }
  return bytes > MOST_BYTES ? undefined : files;
}

/** Reads the files; undefined when something in them is reported. */
async function read(ctx: Ctx, repository: Repository, files: Changed[]): Promise<Contents | undefined> {
  const texts: Contents["texts"] = new Map();
  const written = files.filter(({ before }) => before !== undefined);
  for await (const { file, content } of contentsOf(repository, written)) {
    const { problems, ...text } = await readText(ctx, file, await decode(content, file.path));
    if (problems.length > 0) return undefined;
    texts.set(file.path, { ...text, oid: file.oid });
  }
  const oids = new Map(files.map(({ path, oid }) => [path, oid]));
  const skipped = new SkippedEntries();
  const assets = await receiveAssets(
    ctx,
    repository,
    files.filter(({ before }) => before === undefined),
    skipped,
  );
  if (skipped.list().length > 0) return undefined;
  const received = assets.map(
    ({ file, body, props }) => [file, { oid: oids.get(file)!, body, props }] as const,
  );
  return { texts, assets: new Map(received) };
}

interface Comparison {
  space: string;
  repository: Repository;
  place: Place;
  files: Changed[];
  contents: Contents;
}

/** Whether the pages have the titles and addresses that they had, and the same files belong to the space. */
async function keepsTree(
  ctx: Ctx,
  { space, repository, place, files, contents }: Comparison,
): Promise<boolean> {
  const left = place.last.skipped ?? [];
  if (contents.assets.size > 0 && left.some(({ reason }) => reason === "lfs-pointer")) return false;
  const come = new Set<string>();
  const gone = new Set<string>();
  for (const { path, before } of files) {
    if (!before) continue;
    const after = contents.texts.get(path)!;
    if (!hasSamePlace(before.source, after.source)) return false;
    for (const link of after.links) if (!before.links.includes(link)) come.add(link);
    for (const link of before.links) if (!after.links.includes(link)) gone.add(link);
  }
  // What lies among the assets belongs to the space without a link.
  const links = [...come, ...gone].filter((link) => !link.startsWith(ASSETS));
  if (links.length === 0) return true;
  if (links.length > MOST_FILES || links.some((link) => /[\r\n\0]/.test(link))) return false;
  const held = new Set(
    (await entriesAtGitPaths(ctx, { branch: space }, links)).map(({ git_path }) => git_path),
  );
  if ([...gone].some((link) => !link.startsWith(ASSETS) && held.has(link))) return false;
  const unknown = [...come].filter((link) => !link.startsWith(ASSETS) && !held.has(link));
  return (await repository.missing(place.folder, unknown)).length === unknown.length;
}

const hasSamePlace = (before: PageSource, after: PageSource) =>
  before.title === after.title && before.linkTitle === after.linkTitle && before.slug === after.slug;

/** The entries as the changed files make them. */
async function differenceBy(ctx: Ctx, space: string, { texts, assets }: Contents): Promise<Changes> {
  const now = ctx.clock().toISOString();
  await keepBodies(
    ctx,
    space,
    Array.from(texts.values(), ({ text }) => text),
  );
  const covers = [...texts.values()].flatMap(({ path, source: { cover } }) =>
    [cover?.ref, cover?.refDark].flatMap((ref) => (ref ? coversAt(path, ref) : [])),
  );
  const files = new Map<string, string>();
  for (const { kind, git_path, id } of await entriesAtGitPaths(ctx, { branch: space }, covers))
    if (kind === "file") files.set(git_path!, id);
  const bring = (entry: Entry): Entry => {
    const path = entry.git_path!;
    const asset = assets.get(path);
    if (entry.kind === "file" && asset)
      return { ...entry, body: asset.body, git_oid: asset.oid, props: asset.props, updated_at: now };
    const { hash: body, oid: git_oid, source } = texts.get(path)!;
    const brought = { body, git_oid, updated_at: now };
    if (entry.kind === "reusable") return { ...entry, ...brought };
    if (entry.kind !== "page") throw new Error(`${path} is no text`);
    // What the table of contents says comes before what the text says.
    const { linkTitle, occurrence } = entry.props;
    const listed = pruned({ type: "document" as const, linkTitle, occurrence });
    return { ...entry, ...brought, props: { ...sourceFields(path, source, files), ...listed } };
  };
  const entries = await entriesAtGitPaths(ctx, { branch: space }, [...texts.keys(), ...assets.keys()]);
  const ofPages = entries.flatMap(({ id, git_path }) => {
    const text = texts.get(git_path!)?.text;
    return text === undefined ? [] : [[id, text] as const];
  });
  return { put: entries.map(bring), remove: [], texts: new Map(ofPages) };
}
