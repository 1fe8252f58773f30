import { refuse } from "@octavo/shared/errors";
import type { Logger } from "@octavo/shared/log";
import { type Bucket, isPassing, S3Error, s3Client } from "./s3-client.js";
import { staging } from "./staging.js";
import { type FileStorage, keyOf, type StagedFile } from "./storage.js";

type Send = ReturnType<typeof s3Client>;

/**
 * Files in a bucket of a server that speaks S3. What comes in is staged in a folder of this machine until its hash is
 * known, and sent in one request that names the hash: the server takes all of it, unaltered, or nothing.
 */
export async function s3Storage(
  bucket: Bucket,
  { folder, log }: { folder: string; log: Pick<Logger, "warn"> },
): Promise<FileStorage> {
  const send = s3Client(bucket);
  await checkBucket(send, bucket, log);

  /** The response about a content; undefined when it is not there. */
  async function about(hash: string, request: Omit<Parameters<Send>[0], "key">) {
    const key = keyOf(hash);
    try {
      return await send({ ...request, key });
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return;
      const reason = "storage_unavailable";
      refuse("SERVICE_UNAVAILABLE", "File: the storage does not respond", { reason, cause: error });
    }
  }

  async function has(hash: string): Promise<boolean> {
    const response = await about(hash, { method: "HEAD" });
    response?.resume();
    return response !== undefined;
  }

  async function keep({ hash, size, path }: StagedFile): Promise<void> {
    if (await has(hash)) return;
    const sha256 = Buffer.from(hash, "base64url").toString("hex");
    const kept = await about(hash, { method: "PUT", body: { path, size, sha256 } });
    if (!kept) refuse("SERVICE_UNAVAILABLE", "File: the bucket is gone", { reason: "storage_unavailable" });
    kept.resume();
  }

  function open(hash: string, range?: { start: number; end: number }) {
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    return about(hash, { method: "GET", headers });
  }

  async function remove(hash: string): Promise<void> {
    (await about(hash, { method: "DELETE" }))?.resume();
  }

  return { ...staging(folder), keep, has, open, remove };
}

/** A bucket that is not there or may not be used is a mistake of the configuration; a server that is away comes back. */
async function checkBucket(send: Send, { endpoint, bucket }: Bucket, log: Pick<Logger, "warn">) {
  try {
    (await send({ method: "HEAD" })).resume();
  } catch (error) {
    if (!isPassing(error)) {
      const { status } = error as S3Error;
      throw new Error(`The bucket ${bucket} at ${endpoint} cannot be used: ${status}`, { cause: error });
    }
    log.warn({ err: error, endpoint, bucket }, "the storage of files does not respond yet");
  }
}
