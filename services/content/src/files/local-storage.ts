import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { refuse } from "@octavo/shared/errors";
import type { FileStorage, StoredFile } from "./storage.js";

const HEAD_BYTES = 64 * 1024;

/** Files in a folder of this machine, spread over sub-folders by the first letters of their hash. */
export function localStorage(folder: string): FileStorage {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);

  async function put(content: Readable | Buffer, limit: number): Promise<StoredFile> {
    const incoming = join(folder, "incoming", randomUUID());
    await mkdir(join(folder, "incoming"), { recursive: true });
    const seen = { hash: createHash("sha256"), size: 0, head: [] as Buffer[], headSize: 0 };
    const observe = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        seen.size += chunk.length;
        seen.hash.update(chunk);
        if (seen.headSize < HEAD_BYTES) {
          seen.head.push(chunk.subarray(0, HEAD_BYTES - seen.headSize));
          seen.headSize += chunk.length;
        }
        done(seen.size > limit ? new TooLarge() : null, chunk);
      },
    });
    try {
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
      await pipeline(source, observe, createWriteStream(incoming, { flags: "wx", flush: true }));
      const hash = seen.hash.digest("base64url");
      await mkdir(join(folder, hash.slice(0, 2)), { recursive: true });
      await rename(incoming, pathOf(hash));
      return { hash, size: seen.size, head: Buffer.concat(seen.head) };
    } catch (error) {
      await rm(incoming, { force: true });
      if (error instanceof TooLarge) refuse("PAYLOAD_TOO_LARGE", `file: larger than ${limit} bytes`);
      throw error;
    }
  }

  async function openFile(hash: string, range?: { start: number; end: number }) {
    const path = pathOf(hash);
    if (!/^[A-Za-z0-9_-]{43}$/.test(hash) || !(await exists(path))) return;
    return createReadStream(path, range);
  }

  return { put, open: openFile };
}

class TooLarge extends Error {}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

/** Whether a folder can be written to; asked when the service starts. */
export async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const probe = join(folder, `.probe-${randomUUID()}`);
  await (await open(probe, "wx")).close();
  await rm(probe);
}
