import { fork } from "node:child_process";
import type { Order, Report } from "./host.js";

/** `late`: a limit of time or memory was exceeded, and nothing else failed. */
export type Outcome = "noticed" | "late" | "unnoticed";

/** A file that takes so much longer with a mutant than the longest does without one does not end. */
const PATIENCE = 4;
const LEAST_MS = 20_000;

/**
 * Tries mutants one after the other in one worker, each with the tests that come across it; what no test comes across is
 * left out. Throws when the tests fail without a mutant.
 */
export async function tryMutants(
  order: Order,
  onProgress: (tried: number) => void,
): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  const waiting = [order.mutants];
  for (let mutants = waiting.pop(); mutants; mutants = waiting.pop())
    waiting.push(...(await tryInOneHost({ ...order, mutants }, outcomes, onProgress)));
  return outcomes;
}

/** Notes what becomes of mutants; returns those that are to be tried in other hosts. */
function tryInOneHost(
  order: Order,
  outcomes: Map<number, Outcome>,
  onProgress: (tried: number) => void,
): Promise<number[][]> {
  const host = fork(new URL("./host.ts", import.meta.url), {
    cwd: order.root,
    // A group of its own, so that a worker that does not end is ended with it.
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let waiting: number[] = [];
  let unproved: number[] = [];
  const again: number[][] = [];
  let patienceMs = 600_000;
  let failure: Error | undefined = new Error("The tests did not run");
  const end = () => process.kill(-host.pid!, "SIGKILL");
  let timer = setTimeout(end, patienceMs);

  const hear = (report: Report) => {
    clearTimeout(timer);
    if (report.kind === "failed") failure = new Error(`The tests fail without a mutant\n${report.error}`);
    if (report.kind === "ready") {
      failure = undefined;
      waiting = report.planned;
      patienceMs = LEAST_MS + PATIENCE * report.longestMs;
    }
    if (report.kind === "tried") {
      const { mutant, noticed, byTime } = report;
      waiting = waiting.filter((one) => one !== mutant);
      unproved.push(mutant);
      outcomes.set(mutant, noticed ? (byTime ? "late" : "noticed") : "unnoticed");
      onProgress(outcomes.size);
    }
    if (report.kind === "sound") {
      // One of them has broken the worker for the others.
      if (!report.sound && order.mutants.length > 1) again.push(...unproved.map((mutant) => [mutant]));
      unproved = [];
    }
    timer = setTimeout(end, patienceMs);
  };

  return new Promise((resolve, reject) => {
    host.on("message", hear);
    host.once("exit", () => {
      clearTimeout(timer);
      if (failure) return reject(failure);
      // It was ended, or took all the memory.
      const [endless, ...missing] = waiting;
      if (endless !== undefined) outcomes.set(endless, "late");
      resolve(missing.length > 0 ? [...again, missing] : again);
    });
    host.send(order);
  });
}
