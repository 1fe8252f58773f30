import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The file in the folder that says why the process was ended. */
export const TOO_LARGE = "too-large";

// The typesetter keeps its thread, so another one looks on: JavaScript by itself, to be there at once.
const WATCH = `
const { parentPort, workerData } = require("node:worker_threads");
const { writeFileSync } = require("node:fs");
const parent = process.ppid;
const look = () => {
  if (process.memoryUsage.rss() > workerData.bytes) writeFileSync(workerData.note, "");
  else if (process.ppid === parent) return;
  process.kill(process.pid, "SIGKILL");
};
look();
setInterval(look, 50);
parentPort.postMessage("looked");`;

/**
 * Ends this process when it takes more memory than it may, or is left alone by the one that started it. Returns after the
 * first look, so that nothing is done before somebody looks on.
 */
export async function watchOver(bytes: number, note: string): Promise<void> {
  // Without the arguments of this process: where it runs sources, they load a compiler.
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: { bytes, note } });
  await once(worker, "message");
  worker.unref();
}
