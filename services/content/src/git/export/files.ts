import type { Readable } from "node:stream";
import { batchesBySize, batchesOf } from "../../store/batches.js";
import { bodiesOf, sizesOf, textIn } from "../../store/bodies.js";
import type { Entry, FileEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import { joinPath } from "../surroundings.js";
import type { Branch } from "./branch.js";
import type { FileChange } from "./commit.js";

interface Sources {
  entries: Entry[];
  /** The paths of files that are new, by the ids of their entries. */
  named: Map<string, string>;
  /** Pages that had a file with others, and have one of their own now. */
  split: Entry[];
  folder: string;
  branch: Branch;
}

const PORTION = 200;

/** The files of entries, few texts in memory at a time. Files that the branch has are left out. */
export async function* filesOf(
  ctx: Ctx,
  space: string,
  { entries, named, split, folder, branch }: Sources,
): AsyncGenerator<FileChange> {
  const pathOf = ({ id, git_path }: Entry) => joinPath(folder, named.get(id) ?? git_path!);
  const apart = new Set(split.map(({ id }) => id));
  // A page that shares a file with the one before it is written with that one.
  const alone = entries.filter((entry) => !apart.has(entry.id) && !isSecond(entry));
  const texts = [...alone.filter(({ kind }) => kind !== "file"), ...split];
  const sizes = (batch: Entry[]) =>
    sizesOf(
      ctx,
      space,
      batch.map(({ body }) => body),
    );
  for await (const batch of batchesBySize(texts, sizes)) {
    const bodies = await bodiesOf(
      ctx,
      space,
      batch.map(({ body }) => body!),
    );
    for (const entry of batch) yield { path: pathOf(entry), text: textIn(bodies, entry.body!), id: entry.id };
  }
  const files = alone.filter((entry): entry is FileEntry => entry.kind === "file");
  for await (const batch of batchesOf(files, PORTION)) {
    const there = await branch.contentsAt(
      folder,
      batch.flatMap(({ git_path }) => git_path ?? []),
    );
    for (const file of batch) {
      if (isOn(there, file)) continue;
      const content = await contentOf(ctx, file);
      yield { path: pathOf(file), content, size: file.props.size, id: file.id };
    }
  }
}

/** Whether a file is on a branch as it is, by the contents that the branch has at paths. */
export const isOn = (there: Map<string, string>, { git_path, git_oid }: FileEntry) =>
  git_path !== null && git_oid !== null && there.get(git_path) === git_oid;

const isSecond = ({ kind, props }: Entry) => kind === "page" && Number(props.occurrence ?? 0) > 0;

async function contentOf({ storage }: Ctx, { body, title }: FileEntry): Promise<Readable> {
  const content = await storage.open(body);
  if (!content) throw new Error(`The content of the file ${title} is missing`);
  return content;
}
