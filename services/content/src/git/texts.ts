import type { PageSource } from "@octavo/markdown/source/source";
import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import { BATCH_BYTES, batchesOf, type Many } from "../store/batches.js";
import { hashOf, keepBodies } from "../store/bodies.js";
import type { Ctx } from "../trpc.js";
import { decode } from "./decode.js";
import { GitError } from "./failure.js";
import { failOnLarger, failOnTotal, filesWhere, markFiles } from "./files.js";
import type { RepositoryFile } from "./objects.js";
import type { Operation } from "./operations.js";
import { reuseReadings } from "./readings.js";
import type { Repository } from "./repository.js";
import type { SkippedEntries } from "./skipped.js";

/** Source: the limits of git sync. */
const MAX_PAGE = 10 * 1024 * 1024;
/** Pages of one import, and bytes of them: a repository of some kB may name one text any number of times. */
const MOST_PAGES = 50_000;
const MOST_BYTES = 512 * 1024 * 1024;
/** Files that git is asked for, and texts that are kept, at a time. */
const BATCH = 500;

interface Text {
  path: string;
  hash: string;
  source: PageSource;
  text: string;
  /** The files that it points to. */
  links: string[];
  /** Whether it is reported each time that it is read. */
  hasProblems: boolean;
}

/**
 * Reads the pages and reusable contents of a commit: keeps their texts, what these say about themselves, and which files
 * they point to. What did not change since the import before is known, and not read again. The texts of one batch are
 * kept while the next is read, and only those are in memory.
 */
export async function readTexts(
  ctx: Ctx,
  { id: operation, space }: Operation,
  repository: Repository,
  skipped: SkippedEntries,
): Promise<void> {
  await reuseReadings(ctx, { id: operation, space });
  const texts = sql`(f.page or f.reusable)`;
  await failOnLarger(ctx, operation, { what: "Pages", where: texts, limit: MAX_PAGE });
  const limits = { what: "pages", where: texts, files: MOST_PAGES, bytes: MOST_BYTES };
  await failOnTotal(ctx, operation, limits);
  const keep = async (batch: Text[]) => {
    await keepBodies(
      ctx,
      space,
      batch.map(({ text }) => text),
    );
    await keepSources(ctx, operation, batch);
    const links = batch.flatMap(({ links }) => links);
    await markFiles(ctx, operation, "asset", new Set(links));
  };
  const unread = sql`${texts} and f.hash is null`;
  let batch: Text[] = [];
  let bytes = 0;
  let keeping = Promise.resolve();
  const hand = async () => {
    await keeping;
    keeping = keep(batch);
    keeping.catch(() => undefined);
    [batch, bytes] = [[], 0];
  };
  for await (const { file, content } of contentsOf(repository, filesWhere(ctx, operation, unread))) {
    const { problems, ...text } = await readText(ctx, file, await decode(content, file.path));
    for (const { line } of problems) skipped.add("frontmatter", `${file.path}:${line}`);
    batch.push({ ...text, hasProblems: problems.length > 0 });
    bytes += content.length;
    if (bytes > BATCH_BYTES || batch.length >= BATCH) await hand();
  }
  await hand();
  await keeping;
}

/** Files with their contents, as git hands them over. */
export async function* contentsOf(repository: Repository, files: Many<RepositoryFile>) {
  for await (const batch of batchesOf(files, BATCH)) {
    let at = 0;
    for await (const content of repository.contents(batch.map(({ oid }) => oid)))
      yield { file: batch[at++]!, content };
    if (at < batch.length) throw new GitError("The repository could not be read by git");
  }
}

/** What a text says about its page, and which files it points to. */
export async function readText(
  { work }: Ctx,
  { path }: RepositoryFile,
  text: string,
): Promise<Omit<Text, "hasProblems"> & Pick<PageSource, "problems">> {
  const { source, links } = await work.run("readImported", { path, text });
  const { problems, ...rest } = source;
  return { path, text, hash: hashOf(text), source: { ...rest, problems: [] }, problems, links };
}

async function keepSources({ db }: Ctx, operation: string, texts: Text[]) {
  const rows = texts.map(({ path, hash, source, links, hasProblems }) => ({
    path,
    hash,
    source,
    links: hasProblems ? undefined : links,
  }));
  // The paths are named once more for the index: else all files of the operation are read for each batch.
  await sql`update import_file f set hash = t.hash, source = t.source, links = t.links
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (path text, hash text, source jsonb, links jsonb)
    where f.operation = ${operation} and f.path = t.path
      and f.path = ${anyOf(rows.map(({ path }) => path))}`.execute(db);
}

/** The text of one file. */
export async function textOf(repository: Repository, file: RepositoryFile): Promise<string> {
  if (file.size > MAX_PAGE) throw new GitError(`${file.path} is larger than 10 MB`);
  for await (const content of repository.contents([file.oid])) return decode(content, file.path);
  throw new GitError("The repository could not be read by git");
}
