import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, deflateRawSync } from "node:zlib";
import { listen } from "@octavo/shared/testing/http";
import type { contentTest } from "../testing/content.js";
import type { Source } from "./material/sources.js";

/** A file of an archive; `mode` is that of Unix, `size` what the archive says, whatever is true. */
export interface Zipped {
  name: string;
  content: string | Buffer;
  mode?: number;
  size?: number;
  flags?: number;
}

/** A zip archive of these files, whatever their names are. */
export function zipOf(files: Zipped[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, mode = 0o100644, size, flags = 0x800 } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\u0003\u0004"), common, path, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, rest, path);
    at += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const count = Math.min(files.length, 0xffff);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  const large = files.length > count ? endOfMany(files.length, listed.length, at) : Buffer.alloc(0);
  return Buffer.concat([...parts, listed, large, Buffer.from("PK\u0005\u0006"), end]);
}

/** The end of an archive with more files than two bytes can count (zip64). */
function endOfMany(files: number, listedBytes: number, at: number): Buffer {
  const end = Buffer.alloc(52);
  end.writeBigUInt64LE(44n, 0);
  end.writeUInt16LE(45, 8);
  end.writeUInt16LE(45, 10);
  end.writeBigUInt64LE(BigInt(files), 20);
  end.writeBigUInt64LE(BigInt(files), 28);
  end.writeBigUInt64LE(BigInt(listedBytes), 36);
  end.writeBigUInt64LE(BigInt(at), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(at + listedBytes), 4);
  locator.writeUInt32LE(1, 12);
  return Buffer.concat([Buffer.from("PK\u0006\u0006"), end, Buffer.from("PK\u0006\u0007"), locator]);
}

/** The archive of files by their names. */
export const zipWith = (files: Record<string, string | Buffer>): Buffer =>
  zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));

/**
 * Serves contents at paths of this machine; what begins with `<` is HTML. A `302 …` leads elsewhere. `before` is awaited
 * before each response.
 */
export async function serve(pages: Record<string, string | Buffer>, before?: () => Promise<unknown>) {
  const asked: string[] = [];
  const server = createServer(async (req, res) => {
    await before?.();
    const path = req.url!.split("?")[0]!;
    asked.push(path);
    const content = pages[path];
    if (content === undefined) return void res.writeHead(404).end();
    const text = content.toString();
    if (text.startsWith("302 ")) return void res.writeHead(302, { location: text.slice(4) }).end();
    const type = /^\s*<(?!\?xml)/.test(text) ? "text/html" : "text/plain";
    res.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(content);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((closed) => void server.close(closed)),
  };
}

/** Hosts that respond as a test says, until they are closed. */
export function hosts() {
  const servers: { close(): Promise<unknown> }[] = [];
  async function serving(listener: RequestListener): Promise<string> {
    const server = await listen(createServer(listener));
    servers.push(server);
    return server.url;
  }
  return { serving, close: () => Promise.all(servers.map((server) => server.close())) };
}

/** The smallest image. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface Shown {
  title: string;
  path?: string;
  pages?: Shown[];
}
const shown = ({ title, path, pages = [] }: Shown): unknown =>
  pages.length > 0 ? [title, path, pages.map(shown)] : [title, path];

/** Contents that are served, imports of them, and what came in. */
export function importTest(t: Awaited<ReturnType<typeof contentTest>>) {
  const admin = t.as({ acme: "admin" }, { id: "ada" });
  const servers: { close(): Promise<unknown> }[] = [];

  async function serving(...given: Parameters<typeof serve>) {
    const server = await serve(...given);
    servers.push(server);
    return server;
  }

  /** Imports what is served at a path into a new space. */
  async function imported(source: Source, pages: Record<string, string | Buffer>, path = "/x") {
    const { url } = await serving(pages);
    const spaceId = await t.space();
    const result = await admin.contentImport.importContent({ spaceId, url: url + path, source });
    return { spaceId, result, url };
  }

  /** Titles and paths of the pages of a space, each with those below it. */
  const treeOf = async (spaceId: string) =>
    ((await admin.content.pages({ spaceId })).pages as unknown as Shown[]).map(shown);
  const markdownAt = async (spaceId: string, pagePath: string) =>
    ((await admin.content.pageAtPath({ spaceId, pagePath })) as { markdown: string }).markdown;
  const filesIn = async (spaceId: string) =>
    (await admin.content.files({ spaceId })).items.map(({ name }) => name).sort();

  const close = () => Promise.all(servers.map((server) => server.close()));
  return { admin, serving, imported, treeOf, markdownAt, filesIn, close };
}
