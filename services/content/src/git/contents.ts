import { posix } from "node:path";
import { readVariables } from "@octavo/markdown/navigation/variables";
import { pageTitle } from "@octavo/markdown/source/title";
import { sql } from "kysely";
import { keyset } from "../store/batches.js";
import type { Ctx } from "../trpc.js";
import { fileAt } from "./files.js";
import type { Repository } from "./repository.js";
import type { SkippedEntries } from "./skipped.js";
import { type Staged, stage } from "./staged.js";
import { VARIABLES } from "./surroundings.js";
import { textOf } from "./texts.js";

const PORTION = 500;

/** Stages the reusable contents and the variables of a commit. */
export async function stageContents(
  ctx: Ctx,
  operation: string,
  repository: Repository,
  skipped: SkippedEntries,
): Promise<void> {
  await stage(ctx, operation, contentsIn(ctx, operation));
  const file = await fileAt(ctx, operation, VARIABLES);
  const read = readVariables(file ? await textOf(repository, file) : "");
  for (const name of read.skipped) skipped.add("variable", `${VARIABLES}:${name.slice(0, 100)}`);
  await stage(
    ctx,
    operation,
    Object.entries(read.variables).map(([title, value]) => ({ kind: "variable", title, props: { value } })),
  );
}

async function* contentsIn(ctx: Ctx, operation: string): AsyncGenerator<Staged> {
  const read = keyset<{ path: string; title: string | null }>(async (last) => {
    const { rows } = await sql<{ path: string; title: string | null }>`select path, source->>'title' as title
      from import_file where operation = ${operation} and reusable and path > ${last?.path ?? ""}
      order by path limit ${PORTION}`.execute(ctx.db);
    return rows;
  });
  for await (const { path, title } of read) {
    const label = title ?? pageTitle(posix.basename(path).replace(/\.\w+$/, ""));
    yield { kind: "reusable", title: label, file: path, props: {} };
  }
}
