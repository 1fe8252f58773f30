import { fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type PressMessage, type ProcessMessage, RESULT } from "./messages.js";
import { TOO_LARGE } from "./watch.js";

/** A PDF that was not made: what it is made of takes too much, or something failed. */
export class PressFailed extends Error {
  readonly tooCostly: boolean;
  constructor(message: string, tooCostly: boolean) {
    super(message);
    this.tooCostly = tooCostly;
  }
}

/** What a PDF is made of. */
export interface Order {
  /** Data that can be cloned, as `serve` takes it. */
  parts: AsyncIterable<unknown>;
  /** The content of an image by its name in the book, such as `image-1.png`; undefined when it is not to be shown. */
  image(name: string): Promise<Readable | undefined>;
}

export interface PressOptions {
  /** The module that calls `serve`. */
  module: URL;
  /** Milliseconds that a PDF may take. */
  deadline: number;
  /** Megabytes of memory that the process may take. */
  memory: number;
}

/** The names of images. */
const IMAGE = /^image-\d{1,6}\.[a-z]{3,4}$/;
/** How much less than others the process gets of a processor that is busy (`nice`). */
const NICE = 5;

/**
 * Makes a PDF in a process of its own and writes it to a file. The process knows no secrets, opens no connection, and ends
 * with its work, at its deadline, at its limit of memory, when `signal` says so, and when this process does. Throws
 * `PressFailed`; whatever happens, nothing else is left behind.
 */
export async function press(
  order: Order,
  file: string,
  { module, deadline, memory }: PressOptions,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "octavo-pdf-"));
  const late = AbortSignal.timeout(deadline);
  // Each is listened to: Node collects a timeout that only `AbortSignal.any` refers to, and its time never comes.
  const ends = [signal, late];
  const child = fork(fileURLToPath(module), [folder, `${memory}`], {
    execArgv: [`--max-old-space-size=${Math.ceil(memory / 2)}`, ...loaderOf(module)],
    env: {},
    cwd: folder,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  standBack(child.pid);
  const exit = once(child, "exit").catch(() => undefined);
  const kill = () => void child.kill("SIGKILL");
  for (const end of ends) end.addEventListener("abort", kill);
  const gone = exit.then(() => {
    throw new PressFailed("takes too much", true);
  });
  gone.catch(() => undefined);
  const send = (message: PressMessage) =>
    Promise.race([
      gone,
      new Promise<void>((sent, failed) => child.send(message, (error) => (error ? failed(error) : sent()))),
    ]);
  const receive = async () => {
    const [message] = (await Promise.race([gone, once(child, "message")])) as [ProcessMessage];
    if (typeof message === "object" && "failure" in message) throw new PressFailed(message.failure, false);
    return message;
  };
  try {
    if (ends.some(({ aborted }) => aborted)) kill();
    await receive();
    const parts = order.parts[Symbol.asyncIterator]();
    const next = () => Promise.race([gone, parts.next()]);
    for (let one = await next(); !one.done; one = await next()) await send({ part: one.value });
    const [needs] = await Promise.all([receive(), send("drawn")]);
    for (const name of (needs as { images: string[] }).images) {
      for (const end of ends) end.throwIfAborted();
      // The process has read what users wrote: nothing that it says names a place elsewhere.
      if (!IMAGE.test(name)) throw new PressFailed("an image has no name of ours", false);
      const content = await Promise.race([gone, order.image(name)]);
      if (content) await pipeline(content, createWriteStream(join(folder, name)));
    }
    await Promise.all([receive(), send("images")]);
    await copyFile(join(folder, RESULT), file);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new PressFailed("takes too long", true);
    if (existsSync(join(folder, TOO_LARGE))) throw new PressFailed("takes too much memory", true);
    throw error;
  } finally {
    for (const end of ends) end.removeEventListener("abort", kill);
    kill();
    await exit;
    await rm(folder, { recursive: true, force: true });
  }
}

function standBack(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + NICE));
  } catch {
    // Where that is not allowed, all have the same.
  }
}

/** Node runs no TypeScript by itself on all versions that we promise: tests and tools run sources with tsx. */
function loaderOf(module: URL): string[] {
  if (!module.pathname.endsWith(".ts")) return [];
  return ["--conditions=source", "--import", pathToFileURL(createRequire(module).resolve("tsx/esm")).href];
}
