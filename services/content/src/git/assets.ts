import { sql } from "kysely";
import type { FileProps } from "../db/tables/entries.js";
import { nameAt } from "../files/name.js";
import { MAX_FILE, receive } from "../files/receive.js";
import { batchesOf, keyset } from "../store/batches.js";
import type { Ctx } from "../trpc.js";
import { failOnLarger, failOnTotal } from "./files.js";
import type { RepositoryFile } from "./objects.js";
import type { Operation } from "./operations.js";
import type { Repository } from "./repository.js";
import type { SkippedEntries } from "./skipped.js";
import { type Staged, stage } from "./staged.js";
import { contentsOf } from "./texts.js";

/** Bytes of all assets of one import, as many as a repository may have on disk. */
const MOST_BYTES = 2 * 1024 ** 3;
/** Bytes; a larger file is not held in memory. */
const STREAM_ABOVE = 8 * 1024 * 1024;
const PORTION = 100;
/** Git LFS keeps the content elsewhere, and has a text that names it in its place. */
const LFS_POINTER = Buffer.from("version https://git-lfs.github.com/spec/");

/** A file as it is staged, with what its content says. */
type StagedFile = Staged & { file: string; body: string; props: FileProps };

/** An asset of the commit; `body` is its content when the space has just that. */
type Asset = RepositoryFile & { body: string | null; props: object };

/** Stages the assets of a commit; only those that are new or changed are read. Fails when one is too large to keep. */
export async function stageAssets(
  ctx: Ctx,
  operation: Operation,
  repository: Repository,
  skipped: SkippedEntries,
): Promise<void> {
  await failOnLarger(ctx, operation.id, { what: "Files", where: sql`f.asset`, limit: MAX_FILE });
  await failOnTotal(ctx, operation.id, { what: "files", where: sql`f.asset`, bytes: MOST_BYTES });
  for await (const assets of batchesOf(assetsOf(ctx, operation), PORTION)) {
    const known = assets.filter(({ body }) => body !== null);
    await stage(
      ctx,
      operation.id,
      known.map(({ path, body, props }) => stagedFile(path, { hash: body!, props })),
    );
    const unread = assets.filter(({ body }) => body === null);
    await stage(ctx, operation.id, await receiveAssets(ctx, repository, unread, skipped));
  }
}

/** Keeps the contents of assets, and returns what they become. */
export async function receiveAssets(
  ctx: Ctx,
  repository: Repository,
  assets: RepositoryFile[],
  skipped: SkippedEntries,
): Promise<StagedFile[]> {
  const small = assets.filter(({ size }) => size <= STREAM_ABOVE);
  const read: StagedFile[] = [];
  for await (const { file, content } of contentsOf(repository, small)) {
    if (content.subarray(0, LFS_POINTER.length).equals(LFS_POINTER)) skipped.add("lfs-pointer", file.path);
    read.push(await received(ctx, file.path, Buffer.from(content)));
  }
  for (const file of assets)
    if (file.size > STREAM_ABOVE) read.push(await received(ctx, file.path, repository.stream(file)));
  return read;
}

const assetsOf = (ctx: Ctx, { id, space }: Operation) =>
  keyset<Asset>(async (last) => {
    const { rows } =
      await sql<Asset>`select f.path, f.oid, f.size::float8 as size, e.body, e.props from import_file f
      left join entry e on e.branch = ${space} and e.git_path = f.path and e.git_oid = f.oid and e.kind = 'file'
        and e.to_seq is null and not e.removed
      where f.operation = ${id} and f.asset and f.path > ${last?.path ?? ""}
      order by f.path limit ${PORTION}`.execute(ctx.db);
    return rows;
  });

async function received(ctx: Ctx, path: string, content: Parameters<typeof receive>[1]): Promise<StagedFile> {
  return stagedFile(path, await receive(ctx, content, { name: nameAt(path) }));
}

const stagedFile = <Props extends object>(path: string, { hash, props }: { hash: string; props: Props }) => ({
  kind: "file" as const,
  title: nameAt(path),
  file: path,
  body: hash,
  props,
});
