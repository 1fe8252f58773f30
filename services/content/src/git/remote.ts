import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { type Egress, EgressError } from "@octavo/shared/egress/client";
import { failureOf, GitError, NO_REPOSITORY } from "./failure.js";
import { run, startGit } from "./process.js";

/** Where a repository is, perhaps with credentials, and what classifies such addresses. */
export interface Address {
  url: string;
  egress: Egress;
}

/** The address of a remote without its credentials, and how git is held to it. */
export async function remoteAt({ url, egress }: Address) {
  const { address, url: target } = await egress.resolve(url).catch((error: unknown) => {
    if (error instanceof EgressError) throw new GitError(error.message);
    throw error;
  });
  return { target, settings: { ...pinned(target, address), ...authorization(new URL(url)) } };
}

/** What a ref of a remote leads to. */
export interface Tip {
  /** Undefined when there is no such ref. */
  commit: string | undefined;
  /** The repository has no ref at all. */
  isEmpty: boolean;
}

/** Finds the commit that a ref of a remote leads to, and fetches nothing. Throws GitError. */
export async function tipOf(
  options: Address & { ref: string; folder: string; signal: AbortSignal },
): Promise<Tip> {
  const { ref, folder, signal } = options;
  const { target, settings } = await remoteAt(options);
  await mkdir(folder, { recursive: true });
  const dir = await mkdtemp(join(folder, "clone-"));
  try {
    await run(dir, ["init", "--quiet", "--bare", "."], signal);
    const listed = await run(dir, ["ls-remote", "--quiet", target.href, ref], signal, { settings });
    const line = listed.split("\n").find((line) => line.endsWith(`\t${ref}`));
    const commit = line?.split("\t")[0];
    const remote = { dir, url: target.href, signal, settings };
    return { commit, isEmpty: commit === undefined && !(await hasRefs(remote)) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Holds git to the address that was classified. A literal address is looked up nowhere, and curl takes no IPv6 one here. */
function pinned({ hostname, port, protocol }: URL, address: string): Record<string, string> {
  if (isIP(hostname.replace(/^\[|\]$/g, ""))) return {};
  const to = address.includes(":") ? `[${address}]` : address;
  return { "http.curloptResolve": `${hostname}:${port || (protocol === "https:" ? "443" : "80")}:${to}` };
}

function authorization(url: URL): Record<string, string> {
  if (!url.username && !url.password) return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { "http.extraHeader": `Authorization: Basic ${Buffer.from(pair).toString("base64")}` };
}

interface Listed {
  /** Any repository on this machine. */
  dir: string;
  url: string;
  signal: AbortSignal;
  settings: Record<string, string>;
}

/**
 * Whether a remote has any ref; no more than the first of them is read. Throws GitError when there is no repository: git
 * takes much for the list of an empty one, so that packets have to come as a server of git sends them.
 */
export async function hasRefs({ dir, url, signal, settings }: Listed): Promise<boolean> {
  const env = { GIT_TRACE_PACKET: "1" };
  const { child, kill } = startGit(dir, ["ls-remote", "--quiet", url], signal, { settings, env });
  child.stdin.end();
  const ended = new Promise<number | null>((done) => child.once("close", done));
  let isServed = false;
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-4000);
    isServed ||= /git< (version \d|# service=git-upload-pack)/.test(complaint);
  });
  for await (const _ of child.stdout) {
    kill();
    return true;
  }
  const code = await ended;
  signal.throwIfAborted();
  if (code !== 0) throw failureOf(complaint);
  if (!isServed) throw new GitError(NO_REPOSITORY);
  return false;
}
