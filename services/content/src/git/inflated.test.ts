import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import { createEgress } from "@octavo/shared/egress/client";
import { afterAll, expect, test } from "vitest";
import { fetchRepository } from "./repository.js";

// A pack of some kilobytes may hold objects of any size: a delta of eight bytes copies 16 MB.

const folder = await mkdtemp(join(tmpdir(), "octavo-inflated-"));
const egress = createEgress({ allow: ["127.0.0.0/8"] });
let server: Server | undefined;
afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

const TYPES = { commit: 1, tree: 2, blob: 3, delta: 7 };
const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest();
const oidOf = (type: string, body: Buffer) =>
  sha1(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]));

/** A number in pieces of seven bits, the lowest first. */
function sized(size: number): number[] {
  const bytes: number[] = [];
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** An object of a pack: its type and length, what a delta is based on, its bytes deflated. */
function packed(type: keyof typeof TYPES, body: Buffer, base = Buffer.alloc(0)): Buffer {
  const low = (TYPES[type] << 4) | (body.length % 16);
  const high = Math.floor(body.length / 16);
  const head = high > 0 ? [low + 128, ...sized(high)] : [low];
  return Buffer.concat([Buffer.from(head), base, deflateSync(body)]);
}

const COPIED = 0xffffff;
/** A delta that makes `size` bytes of an object with fewer, by copying it again and again. */
function copies(of: number, size: number): Buffer {
  const count = Math.ceil(size / COPIED);
  return Buffer.from([
    ...sized(of),
    ...sized(count * COPIED),
    ...Array(count).fill([0xf0, 255, 255, 255]).flat(),
  ]);
}

function packOf(objects: Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const body = Buffer.concat([head, ...objects]);
  return Buffer.concat([body, sha1(body)]);
}

const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, "0")}${text}`;

/** Serves one commit as a pack, as a server of git over HTTP does that has nothing but it. */
async function servePack(commit: string, pack: Buffer): Promise<string> {
  server = createServer(async (req, res) => {
    const body = await text(req);
    if (req.method === "GET") {
      res.setHeader("content-type", "application/x-git-upload-pack-advertisement");
      const refs = line(`${commit} refs/heads/main\0shallow agent=test\n`);
      res.end(`${line("# service=git-upload-pack\n")}0000${refs}0000`);
      return;
    }
    res.setHeader("content-type", "application/x-git-upload-pack-result");
    res.write(`${line(`shallow ${commit}`)}0000`);
    // Git requests twice: what the history ends at, and then for the pack.
    if (body.includes("done")) res.write(Buffer.concat([Buffer.from(line("NAK\n")), pack]));
    res.end();
  });
  await new Promise<void>((listening) => server!.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bomb.git`;
}

test("a pack of a few kilobytes that unpacks to more than there is room for is refused with that reason", async () => {
  const base = Buffer.alloc(COPIED, "a");
  const page = Buffer.from("# Home\n");
  const tree = Buffer.concat([Buffer.from("100644 README.md\0"), oidOf("blob", page)]);
  const who = "Ada <ada@example.com> 1 +0000";
  const commit = Buffer.from(
    `tree ${oidOf("tree", tree).toString("hex")}\nauthor ${who}\ncommitter ${who}\n\nSmall\n`,
  );
  const pack = packOf([
    packed("commit", commit),
    packed("tree", tree),
    packed("blob", page),
    packed("blob", base),
    packed("delta", copies(COPIED, 2.2 * 1024 ** 3), oidOf("blob", base)),
  ]);
  expect(pack.length).toBeLessThan(32 * 1024);
  const url = await servePack(oidOf("commit", commit).toString("hex"), pack);
  const fetched = fetchRepository({
    url,
    ref: "refs/heads/main",
    folder,
    egress,
    signal: new AbortController().signal,
  });
  await expect(fetched).rejects.toThrow("The repository takes too much memory to be read");
  expect(await readdir(folder)).toEqual([]);
});
