// Loaded into the parts of a stack by NODE_OPTIONS. Writes down how much CPU time the main thread of the content service
// spends in one turn of its event loop: what everybody else waits, however busy the machine is. Linux alone tells it.
import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { OCTAVO_BENCH_TURNS: file } = process.env;
/** Milliseconds from which on a turn is written down. */
const LONG = 10;
const PAUSE = 4;

/** CPU time of this thread so far, in milliseconds. */
const cpu = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6;

if (file && isMainThread && process.argv[1]?.includes("services/content/dist/main")) {
  let since = cpu();
  setInterval(() => {
    const spent = cpu() - since;
    if (spent >= LONG) appendFileSync(file, `${Date.now()} ${spent.toFixed(1)}\n`);
    since = cpu();
  }, PAUSE).unref();
}
