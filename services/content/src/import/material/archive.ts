import { refuse } from "@octavo/shared/errors";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import type { Skipped } from "./skipped.js";

/** Files of an archive, and bytes of all that is read from it. */
export const MOST_ENTRIES = 20_000;
const MOST_BYTES = 512 * 1024 * 1024;
/** Archives within one, and bytes of each. */
const MOST_PARTS = 20;
const LARGEST_PART = 100 * 1024 * 1024;
const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;

/** The files of a zip archive, each inflated when it is read. */
export interface Archive {
  paths: string[];
  /** The content of a file, undefined when there is none, or more of it than a limit in bytes. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
}

/** What was taken of the limits so far, by all archives that share them. */
interface Spent {
  entries: number;
  bytes: number;
}

/**
 * Opens a zip archive. Symbolic links and encrypted files are left out. 400 when it is none, has paths that lead out of
 * it, or more than 20,000 files; what inflates to more than it says is not read to its end.
 */
export async function openArchive(
  content: Buffer,
  skipped: Skipped,
  spent: Spent = { entries: 0, bytes: 0 },
): Promise<Archive> {
  const zip = await new Promise<ZipFile>((opened, failed) =>
    fromBuffer(content, { lazyEntries: true, validateEntrySizes: true, autoClose: false }, (error, zip) =>
      error ? failed(error) : opened(zip),
    ),
  ).catch((error: Error) => unreadable(error));
  const entries = new Map<string, Entry>();
  await new Promise<void>((ended, failed) => {
    zip.on("error", failed);
    zip.on("end", ended);
    zip.on("entry", (entry: Entry) => {
      const composed = entry.fileName.normalize("NFC");
      // Two names may be one in another Unicode form: both files come in.
      const path = entries.has(composed) ? entry.fileName : composed;
      if (spent.entries + zip.entryCount > MOST_ENTRIES)
        return failed(new Error(`it has more than ${MOST_ENTRIES} files`));
      if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK) skipped.add("symlink", path);
      else if (entry.generalPurposeBitFlag & 1) skipped.add("encrypted", path);
      else if (!path.endsWith("/")) entries.set(path, entry);
      zip.readEntry();
    });
    zip.readEntry();
  }).catch((error: Error) => unreadable(error));
  spent.entries += zip.entryCount;
  return {
    paths: [...entries.keys()],
    read: async (path, limit) => {
      const entry = entries.get(path);
      if (!entry || entry.uncompressedSize > limit) return undefined;
      spent.bytes += entry.uncompressedSize;
      if (spent.bytes > MOST_BYTES)
        return refuse("BAD_REQUEST", "body.url: the archive holds more than 512 MB");
      return inflate(zip, entry, limit).catch((error: Error) => unreadable(error));
    },
  };
}

/**
 * The files of the archives that an archive is made of, which a large export of Notion is; itself, when it is made of
 * files. Together they are held to the limits of one.
 */
export async function openParts(archive: Archive, skipped: Skipped): Promise<Archive> {
  const inner = archive.paths.filter((path) => /\.zip$/i.test(path));
  if (inner.length === 0 || inner.length < archive.paths.length) return archive;
  const spent: Spent = { entries: 0, bytes: 0 };
  const parts = new Map<string, Archive>();
  let opened = 0;
  for (const path of inner.sort()) {
    const content = opened < MOST_PARTS ? await archive.read(path, LARGEST_PART) : undefined;
    if (!content) skipped.add("limit", path);
    else {
      opened += 1;
      const part = await openArchive(content, skipped, spent);
      for (const one of part.paths) if (!parts.has(one)) parts.set(one, part);
    }
  }
  return {
    paths: [...parts.keys()],
    read: async (path, limit) => parts.get(path)?.read(path, limit),
  };
}

function unreadable(error: Error): never {
  return refuse("BAD_REQUEST", `body.url: the archive can not be read: ${error.message}`, {
    reason: "unreadable_archive",
    cause: error,
  });
}

async function inflate(zip: ZipFile, entry: Entry, limit: number): Promise<Buffer> {
  const stream = await new Promise<NodeJS.ReadableStream>((opened, failed) =>
    zip.openReadStream(entry, (error, stream) => (error ? failed(error) : opened(stream))),
  );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`${entry.fileName} is larger than it says`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
