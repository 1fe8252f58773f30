import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { refuse } from "@octavo/shared/errors";
import type { FileStorage, StagedFile } from "./storage.js";

/** A photograph may carry a preview of itself and a colour profile before its dimensions. */
const HEAD_BYTES = 256 * 1024;

class TooLarge extends Error {}

/** Takes contents into a folder of this machine, where they wait until their hash is known. */
export function staging(folder: string): Pick<FileStorage, "stage" | "discard" | "sweep"> {
  async function stage(content: Readable | Buffer, limit: number): Promise<StagedFile> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    const { observer, seen } = observe(limit);
    const file = createWriteStream(path, { flags: "wx" });
    try {
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
      await pipeline(source, observer, file);
      return { path, ...seen() };
    } catch (error) {
      // A file that is still being opened would appear after it was removed.
      if (!file.closed) await new Promise<void>((resolve) => file.once("close", () => resolve()));
      await rm(path, { force: true });
      if (error instanceof TooLarge) refuse("PAYLOAD_TOO_LARGE", `file: larger than ${limit} bytes`);
      throw error;
    }
  }

  async function sweep(before: Date): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    for (const path of names.map((name) => join(folder, name))) {
      const left = await stat(path).catch(() => undefined);
      if (left && left.mtime < before) await rm(path, { force: true });
    }
  }

  return { stage, sweep, discard: ({ path }) => rm(path, { force: true }) };
}

/** A stream that lets a content through and notes what the store has to know of it. */
function observe(limit: number) {
  const hash = createHash("sha256");
  const head: Buffer[] = [];
  let size = 0;
  const observer = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
      size += chunk.length;
      hash.update(chunk);
      done(size > limit ? new TooLarge() : null, chunk);
    },
  });
  return { observer, seen: () => ({ hash: hash.digest("base64url"), size, head: Buffer.concat(head) }) };
}

/** Whether a folder can be written to; asked when the service starts. */
export async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const probe = join(folder, `.probe-${randomUUID()}`);
  await (await open(probe, "wx")).close();
  await rm(probe);
}
