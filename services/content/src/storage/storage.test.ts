import { createHash } from "node:crypto";
import dns from "node:dns";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createLog } from "@octavo/shared/log";
import { afterAll, describe, expect, test, vi } from "vitest";
import { s3Server } from "../testing/s3.js";
import { localStorage } from "./local-storage.js";
import type { Bucket } from "./s3-client.js";
import { s3Storage } from "./s3-storage.js";
import type { FileStorage } from "./storage.js";

const folder = await mkdtemp(join(tmpdir(), "octavo-storage-"));
const s3 = await s3Server();
const log = createLog({ service: "content", level: "silent" });
const incoming = { local: join(folder, "local", "incoming"), s3: join(folder, "s3") };
const inBucket = (change: Partial<Bucket> = {}) =>
  s3Storage({ ...s3, ...change }, { folder: incoming.s3, log });
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const kinds: ["local" | "s3", FileStorage][] = [
  ["local", localStorage(join(folder, "local"))],
  ["s3", await inBucket()],
];

const MIB = 1024 * 1024;
const hashOf = (content: string | Buffer) => createHash("sha256").update(content).digest("base64url");
const read = async (content: Readable | undefined) => content && Buffer.concat(await content.toArray());

async function put(storage: FileStorage, content: Readable | Buffer, limit = MIB) {
  const staged = await storage.stage(content, limit);
  await storage.keep(staged);
  await storage.discard(staged);
  return staged;
}

describe.each(kinds)("%s storage", (kind, storage) => {
  const staged = () => readdir(incoming[kind]);

  test("keeps a content under its hash, and nothing beside it", async () => {
    const content = Buffer.from(`hello ${kind}`);
    const { hash, size, head } = await put(storage, content);
    expect({ hash, size, head }).toEqual({ hash: hashOf(content), size: content.length, head: content });
    expect(await storage.has(hash)).toBe(true);
    expect(await read(await storage.open(hash))).toEqual(content);
    expect(await staged()).toEqual([]);
  });

  test("streams what does not fit into memory at once, and reads parts of it", async () => {
    const block = Buffer.alloc(MIB, kind);
    const { hash, size, head } = await put(storage, Readable.from(Array(24).fill(block)), 24 * MIB);
    expect([size, head.length]).toEqual([24 * MIB, MIB / 4]);
    let received = 0;
    const digest = createHash("sha256");
    for await (const chunk of (await storage.open(hash))!) {
      received += chunk.length;
      digest.update(chunk);
    }
    expect([received, digest.digest("base64url")]).toEqual([size, hash]);
    const part = await read(await storage.open(hash, { start: MIB - 2, end: MIB + 2 }));
    expect(part).toEqual(Buffer.concat([block.subarray(-2), block.subarray(0, 3)]));
  });

  test("keeps an empty content", async () => {
    const { hash, size } = await put(storage, Buffer.alloc(0));
    expect([size, await read(await storage.open(hash))]).toEqual([0, Buffer.alloc(0)]);
  });

  test("refuses a content beyond the limit with 413, and holds nothing of it", async () => {
    const content = Readable.from([Buffer.alloc(6), Buffer.alloc(5)]);
    await expect(storage.stage(content, 10)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(await staged()).toEqual([]);
    expect((await put(storage, Buffer.alloc(10, kind), 10)).size).toBe(10);
  });

  test("holds nothing of a content that breaks off", async () => {
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("broke off");
    }
    await expect(storage.stage(Readable.from(broken()), MIB)).rejects.toThrow("broke off");
    expect(await staged()).toEqual([]);
  });

  test("keeps the same content again and at the same time without harm", async () => {
    const content = Buffer.from(`twice ${kind}`);
    const [one, other] = await Promise.all([put(storage, content), put(storage, content)]);
    expect(one.hash).toBe(other.hash);
    await put(storage, content);
    expect(await read(await storage.open(one.hash))).toEqual(content);
  });

  test("finds nothing that was never stored, and nothing that was removed, once or twice", async () => {
    const { hash } = await put(storage, Buffer.from(`gone ${kind}`));
    await storage.remove(hash);
    await storage.remove(hash);
    expect([await storage.has(hash), await storage.open(hash)]).toEqual([false, undefined]);
    expect(await storage.open(hashOf("never"))).toBeUndefined();
    await expect(async () => storage.open("../../etc/passwd")).rejects.toThrow("not a name of a content");
  });

  test("sweeps what a crash left staged, and leaves what just came in", async () => {
    const fresh = await storage.stage(Buffer.from("fresh"), MIB);
    const left = join(incoming[kind], "left");
    await writeFile(left, "left");
    await utimes(left, new Date(0), new Date(0));
    await storage.sweep(new Date(Date.now() - 3_600_000));
    expect(await staged()).toEqual([fresh.path.slice(incoming[kind].length + 1)]);
    await storage.discard(fresh);
  });
});

/** Every name is an address of this machine. */
function toThisMachine(
  _host: string,
  { all }: dns.LookupOptions,
  done: (error: null, found: string | dns.LookupAddress[], family?: number) => void,
) {
  const [address, family] = ["127.0.0.1", 4];
  if (all) done(null, [{ address, family }]);
  else done(null, address, family);
}

describe("s3 storage", () => {
  test("a request that is signed with another secret, key or region is refused, and so is the start", async () => {
    const changes = [{ secretAccessKey: "wrong" }, { accessKeyId: "STRANGER" }, { region: "us-east-1" }];
    for (const change of changes)
      await expect(inBucket(change)).rejects.toThrow(/octavo-files at .* cannot be used: 403/);
    await expect(inBucket({ bucket: "missing" })).rejects.toThrow("cannot be used: 404");
  });

  test("a body that is not the signed one is refused by the server, and nothing is stored", async () => {
    const storage = await inBucket();
    const staged = await storage.stage(Buffer.from("what was signed"), MIB);
    await writeFile(staged.path, "what was changed");
    await expect(storage.keep(staged)).rejects.toThrow();
    expect(s3.objects.has(`${staged.hash.slice(0, 2)}/${staged.hash}`)).toBe(false);
    await storage.discard(staged);
  });

  test("a busy server and a broken connection are tried again, for all that the storage does", async () => {
    const storage = await inBucket();
    for (const how of ["busy", "break"] as const) {
      for (const method of ["PUT", "HEAD", "GET", "DELETE"]) s3.fail({ method, how });
      const { hash } = await put(storage, Buffer.from(`in spite of ${how}`));
      expect((await read(await storage.open(hash)))!.toString()).toBe(`in spite of ${how}`);
      await storage.remove(hash);
      expect(await storage.has(hash)).toBe(false);
    }
  });

  test("the bucket may stand in the host of its addresses, as Amazon wants it", async () => {
    const lookup = vi.spyOn(dns, "lookup").mockImplementation(toThisMachine as typeof dns.lookup);
    const endpoint = s3.endpoint.replace("127.0.0.1", "localhost");
    const storage = await inBucket({ endpoint, pathStyle: false });
    const before = s3.requests.length;
    const { hash } = await put(storage, Buffer.from("in the host"));
    expect((await read(await storage.open(hash, { start: 3, end: 5 })))!.toString()).toBe("the");
    expect(s3.requests[before]).toBe(`HEAD /${hash.slice(0, 2)}/${hash}`);
    expect(lookup.mock.calls.map(([host]) => host)).toContain("octavo-files.localhost");
    lookup.mockRestore();
  });

  test("what is there already is not sent again", async () => {
    const storage = await inBucket();
    const content = Buffer.from("only once");
    await put(storage, content);
    const before = s3.requests.length;
    await put(storage, content);
    expect(s3.requests.slice(before).map((request) => request.split(" ")[0])).toEqual(["HEAD"]);
  });

  test("a server that is away is 503, not a start that fails", async () => {
    const away = await s3Server();
    await away.close();
    const storage = await s3Storage(away, { folder: incoming.s3, log });
    await expect(storage.has(hashOf("any"))).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
