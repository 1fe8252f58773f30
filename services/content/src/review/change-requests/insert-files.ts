import { locate, refuse, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { MAX_FILE, receive, receiveFrom } from "../../files/receive.js";
import type { FileEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { Change, InputFile } from "./schema.js";
import type { Names } from "./temporary-names.js";

/** Most files that one request adds. */
const MAX_FILES = 50;
/** Most bytes of the files that one request adds. */
const MAX_TOTAL = 200 * 1024 * 1024;
/** Most bytes of a file that is sent inside the request, whose body carries at most 32 MiB. */
const MAX_INLINE = 20 * 1024 * 1024;

/** A file that a request adds, and where the request says so. */
export interface WantedFile {
  file: InputFile;
  path: string;
}

/** The files that changes add: 400 when they are too many, 413 when one that was sent is too large. */
export function filesIn(changes: Change[]): WantedFile[] {
  const wanted = changes.flatMap((change, at) =>
    change.operation === "insert_files"
      ? change.files.map((file, index) => ({ file, path: `body.changes.${at}.files.${index}` }))
      : [],
  );
  if (wanted.length > MAX_FILES) {
    refuseAt("body.changes", `must add at most ${MAX_FILES} files`);
  }
  for (const { file, path } of wanted) {
    if ("base64" in file && Buffer.byteLength(file.base64, "base64") > MAX_INLINE)
      refuse("PAYLOAD_TOO_LARGE", `${path}: larger than ${MAX_INLINE} bytes, give its address instead`);
  }
  return wanted;
}

/** Fetches and keeps files, one after the other, as entries that are in no version yet: at most `total` bytes. */
export async function receiveFiles(
  ctx: Ctx,
  wanted: WantedFile[],
  names: Names,
  total = MAX_TOTAL,
): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  let left = total;
  for (const { file, path } of wanted) {
    if (left <= 0) refuse("PAYLOAD_TOO_LARGE", `${path}: the files are larger than ${total} bytes together`);
    const { hash, props } = await locate(path, () => receiveFile(ctx, file, Math.min(left, MAX_FILE)));
    left -= props.size;
    entries.push({
      id: (file.ref === undefined ? undefined : names.get(file.ref)?.id) ?? newId(),
      kind: "file",
      parent: null,
      position: "",
      slug: null,
      title: file.name,
      body: hash,
      git_path: null,
      git_oid: null,
      props,
      created_at: ctx.clock().toISOString(),
      updated_at: null,
    });
  }
  return entries;
}

async function receiveFile(ctx: Ctx, file: InputFile, limit: number) {
  const { name } = file;
  return "url" in file
    ? receiveFrom(ctx, file.url, { name, limit })
    : receive(ctx, Buffer.from(file.base64, "base64"), { name, limit });
}
