import { Worker } from "node:worker_threads";

/** The file in the folder that says why the process was ended. */
export const TOO_LARGE = "too-large";

// The typesetter keeps its thread, so another one looks on: JavaScript by itself, to be there at once.
const WATCH = `
const { workerData } = require("node:worker_threads");
const { writeFileSync } = require("node:fs");
const parent = process.ppid;
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.bytes) writeFileSync(workerData.note, "");
  else if (process.ppid === parent) return;
  process.kill(process.pid, "SIGKILL");
}, 50);`;

/** Ends this process when it takes more memory than it may, or is left alone by the one that started it. */
export function watchOver(bytes: number, note: string): void {
  new Worker(WATCH, { eval: true, workerData: { bytes, note } }).unref();
}
