import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { collectAtRest } from "../memory.js";
import { type Piece, piecesOf } from "./pieces.js";

/** A piece of work, as a thread is given it. */
export interface Order {
  task: string;
  input: unknown;
}

/**
 * What a thread says: once, that it has loaded what it works with; then the pieces of a value one by one, each but the last
 * when the one before was taken, or what it threw.
 */
export type ThreadMessage = { loaded: true } | { piece: Piece; last: boolean } | { failure: unknown };

/** Milliseconds without work after which a thread collects what its work has left. */
const RESTED_MS = 10_000;
/** How much less than others a thread gets of a processor that is busy (`nice`). */
const NICE = 10;

// biome-ignore lint/suspicious/noExplicitAny: each task knows its own input
type Tasks = Record<string, (input: any) => unknown>;

/** Does the tasks that the other side of this thread asks for, one after the other. */
export function serve(tasks: Tasks): void {
  standBack();
  const port = parentPort!;
  const say = (message: ThreadMessage) => port.postMessage(message);
  const worked = collectAtRest({ pieces: 1, afterMs: RESTED_MS });
  port.on("message", (order: Order | "next") => {
    if (order === "next") return;
    run(order)
      .catch((failure: unknown) => say({ failure }))
      .finally(worked);
  });
  say({ loaded: true });

  async function run({ task, input }: Order): Promise<void> {
    const pieces = piecesOf(await tasks[task]!(input));
    const last = pieces.pop()!;
    for (const piece of pieces) {
      say({ piece, last: false });
      await once(port, "message");
    }
    say({ piece: last, last: true });
  }
}

/** Lets threads that serve requests go first where processors are few. Linux alone has priorities of threads. */
function standBack() {
  if (process.platform !== "linux") return;
  try {
    const [thread] = readlinkSync("/proc/thread-self").split("/").slice(-1);
    setPriority(Number(thread), NICE);
  } catch {
    // Where that is not allowed, all have the same.
  }
}
