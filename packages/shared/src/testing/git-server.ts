import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const AUTHOR = ["-c", "user.name=Octavo", "-c", "user.email=octavo@example.com"];

export interface GitServer {
  /** Address of the repository, for git over HTTP. */
  url: string;
  /** Work tree of the repository: change files, then `commit()`. */
  folder: string;
  commit(message: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a copy of a folder as a git repository over HTTP, on any free port or the given one, with git's own server;
 * without a folder one that has no commit yet. What is pushed comes into its work tree.
 */
export async function serveRepository(folder?: string, port = 0): Promise<GitServer> {
  const home = await mkdtemp(join(tmpdir(), "octavo-git-"));
  const work = join(home, "repository");
  await mkdir(work);
  if (folder !== undefined)
    await cp(folder, work, { recursive: true, filter: (source) => source !== join(folder, ".git") });
  const git = (...args: string[]) =>
    run("git", [...AUTHOR, ...args], { cwd: work, maxBuffer: 64 * 1024 * 1024 });
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "receive.denyCurrentBranch", "ignore");
  const commit = async (message: string) => {
    await git("add", "--all", "--force", ".");
    await git("commit", "--quiet", "--allow-empty", "-m", message);
    return (await git("rev-parse", "HEAD")).stdout.trim();
  };
  if (folder !== undefined) await commit("First");
  // Git's own way to do this writes a push that loses against another one into the work tree, and rejects all that follow.
  const showPushed = () => git("reset", "--quiet", "--hard").catch(() => undefined);
  const server = createServer(
    inTurn((req, res) => backend(home, req, res, isPush(req) ? showPushed : undefined)),
  );
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository/.git`,
    folder: work,
    commit,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(home, { recursive: true, force: true });
    },
  };
}

const SETTINGS = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_CONFIG_KEY_1: "http.receivepack",
  GIT_CONFIG_VALUE_1: "true",
};

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<unknown>;

const isPush = ({ url, method }: IncomingMessage) => method === "POST" && url!.endsWith("/git-receive-pack");

/** Lets one push begin after the other, each of which writes the work tree. */
function inTurn(handle: Handler): Handler {
  let last: Promise<unknown> = Promise.resolve();
  return (req, res) => {
    const begin = () => handle(req, res).catch(() => res.destroy());
    if (!isPush(req)) return begin();
    last = last.then(() => (req.destroyed ? undefined : begin()));
    return last;
  };
}

/** Hands a request to `git http-backend`, over CGI; with `after` the response is sent when that has ended, too. */
async function backend(
  root: string,
  req: IncomingMessage,
  res: ServerResponse,
  after?: () => Promise<unknown>,
) {
  const [path, query = ""] = req.url!.split("?");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      ...SETTINGS,
      PATH_INFO: decodeURIComponent(path!),
      QUERY_STRING: query,
      REQUEST_METHOD: req.method,
      CONTENT_TYPE: req.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: req.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: req.headers["git-protocol"]?.toString() ?? "",
      REMOTE_ADDR: "127.0.0.1",
    },
  });
  req.pipe(child.stdin);
  // A client that goes away has sent all that it will.
  req.once("close", () => child.stdin.end());
  child.stdin.on("error", () => undefined);
  let head = Buffer.alloc(0);
  let begun = false;
  const held: Buffer[] = [];
  const send = (chunk: Buffer) => void (after ? held.push(chunk) : res.write(chunk));
  child.stdout.on("data", (chunk: Buffer) => {
    if (begun) return send(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    begun = true;
    const headers = head.subarray(0, end).toString().split("\r\n");
    const status = headers.find((line) => /^status:/i.test(line));
    for (const line of headers.filter((line) => line !== status)) {
      res.setHeader(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
    }
    res.statusCode = status ? Number(/\d+/.exec(status)?.[0]) : 200;
    send(head.subarray(end + 4));
  });
  await once(child, "close");
  await after?.();
  res.end(Buffer.concat(held));
}
