import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds after which starting is over: what follows it in the background has been done by then. */
const SETTLED_MS = 30_000;

/**
 * Collects garbage once, some seconds after the start of a process. Node collects when it needs room, so that a process
 * which then has little to do would hold on to all that loading its modules took: a third of its memory.
 */
export function collectAfterStart(afterMs = SETTLED_MS): void {
  setTimeout(collectGarbage, afterMs).unref();
}

interface Rest {
  /** Pieces of work from which on there is something to collect. */
  pieces: number;
  /** Milliseconds without work after which that is done. */
  afterMs: number;
  collect?: () => void;
}

/**
 * Collects garbage when work rests: V8 collects when it needs room, so that what work has left would stay until there is
 * more of it. Returns what is to be called with each piece of work.
 */
export function collectAtRest({ pieces, afterMs, collect = collectGarbage }: Rest): () => void {
  let done = 0;
  const rest = setTimeout(() => {
    if (done < pieces) return;
    done = 0;
    collect();
  }, afterMs).unref();
  return () => {
    done += 1;
    rest.refresh();
  };
}

/**
 * Lets the heap of this process and of its threads grow to three times of what is in use before all of it is collected. V8
 * lets a small heap grow by half: while long texts are worked on, it then collects all of it once or twice a second, on
 * threads that take the cores from everybody's requests.
 */
export function letHeapGrow(): void {
  setFlagsFromString("--heap-growing-percent=200");
}

/**
 * Collects young objects on the thread that made them. By default several threads share that: where all cores are busy, the
 * one that serves requests waits for those whose turn has not come.
 */
export function collectYoungAlone(): void {
  setFlagsFromString("--no-parallel-scavenge");
}

/** Collects garbage at once; blocks for some tens of milliseconds, depending on the size of the heap. */
export function collectGarbage(): void {
  // The flag makes the function known to contexts that are created from now on, and not to the code of this process.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  collect();
}
