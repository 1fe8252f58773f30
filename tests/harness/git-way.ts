import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What git asks a repository for: where its refs lead, objects, or that it takes a push. */
export type GitRequest = "refs" | "fetch" | "push";

/** The way to a git server, on which requests can be held. */
export interface GitWay {
  /** The address of the repository at the end of the way. */
  url: string;
  /** Lets nothing through until the returned function is called. */
  shut(): () => void;
  /** Holds the next request of a kind: resolves when it has come. The returned function lets it go on. */
  before(kind: GitRequest): Promise<() => void>;
  /** Holds the next response to a kind of request: resolves when the repository has done what was asked. */
  after(kind: GitRequest): Promise<() => void>;
  close(): Promise<void>;
}

interface Hold {
  kind: GitRequest;
  when: "before" | "after";
  caught(release: () => void): void;
}

/** Stands before a git server; lets everything through that it does not hold. */
export async function wayTo(repository: string): Promise<GitWay> {
  const target = new URL(repository);
  const holds: Hold[] = [];
  let closed: Promise<void> | undefined;
  const held = async (kind: GitRequest, when: Hold["when"]) => {
    const at = holds.findIndex((hold) => hold.kind === kind && hold.when === when);
    const [hold] = at < 0 ? [] : holds.splice(at, 1);
    if (hold) await new Promise<void>((release) => hold.caught(release));
  };
  const hold = (kind: GitRequest, when: Hold["when"]) =>
    new Promise<() => void>((caught) => void holds.push({ kind, when, caught }));
  const server = createServer(async (req, res) => {
    const body = await bytesOf(req);
    const kind = kindOf(req, body);
    await closed;
    await held(kind, "before");
    if (!res.destroyed) forward(req, res, { target, body, beforeResponse: () => held(kind, "after") });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    shut: () => {
      let open = () => {};
      closed = new Promise((done) => (open = done));
      return () => open();
    },
    before: (kind) => hold(kind, "before"),
    after: (kind) => hold(kind, "after"),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function kindOf({ url = "" }: IncomingMessage, body: Buffer): GitRequest {
  if (url.endsWith("/git-receive-pack")) return "push";
  return url.endsWith("/git-upload-pack") && !body.includes("command=ls-refs") ? "fetch" : "refs";
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Forward {
  target: URL;
  body: Buffer;
  beforeResponse(): Promise<void>;
}

function forward(req: IncomingMessage, res: ServerResponse, { target, body, beforeResponse }: Forward) {
  const { "transfer-encoding": _, ...headers } = req.headers;
  const { hostname: host, port } = target;
  const onward = request({ host, port, method: req.method, headers, path: req.url }, async (response) => {
    const content = await bytesOf(response);
    await beforeResponse();
    if (!res.destroyed) res.writeHead(response.statusCode ?? 502, response.headers).end(content);
  });
  onward.on("error", () => res.destroy());
  onward.end(body);
}
