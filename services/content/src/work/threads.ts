import { setTimeout as sleep } from "node:timers/promises";
import { createPool, type Pool, type PoolOptions } from "@octavo/shared/workers/pool";
import { sampleOf } from "./sample.js";
import { tasks } from "./tasks.js";

type Tasks = typeof tasks;
type Name = keyof Tasks;

/** The cost from which on a text is worked on by another thread: 5 to 15 ms of work, which nobody else shall wait for. */
const LONG = 300_000;
/**
 * The same for what readers wait for. Pages of documentation take 10 to 25 ms here, where it is all compiled; on a thread
 * that has read few of them it is several times as much. Of what costs most it is 60 to 80 ms of work.
 */
const LONG_TO_READ = 1_200_000;
const READING: ReadonlySet<Name> = new Set(["readJson", "readDocument", "readMarkdown", "readShown"]);

/**
 * What characters cost at most, in fortieths of a microsecond, which a letter takes: each line may be a block, such as an
 * item of a list, and of emphasis, code and links every character may begin or end some.
 */
const [LINE, MARK, OTHERS] = [250, 25, { "`": 50, ":": 50, "*": 75, "[": 125 }];

/** Texts that are read here after the start, their parts, and the ms between them that belong to whoever else starts. */
const [SAMPLES, PARTS, PAUSE] = [40, 2, 10];
/** Those that are read on a thread, which are longer. */
const [LONG_SAMPLES, LONG_PARTS] = [12, 80];

/** Work that takes as long as texts are: at once for short ones, on another thread for long ones. */
export interface Work {
  /** The result is the same either way. Long work that takes too long is refused with 503. */
  run<Task extends Name>(
    task: Task,
    input: Parameters<Tasks[Task]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Task]>>>;
  /** How much was done on other threads so far. */
  readonly done: number;
  close(): Promise<void>;
}

/** Work whose threads were started here. */
export interface StartedWork extends Work {
  /**
   * Reads here, and on a thread that it starts, until what reads is compiled, so that the first pages do not wait for that,
   * which takes longer than reading them.
   */
  warm(): Promise<void>;
}

interface WorkOptions extends Partial<PoolOptions> {
  /** The cost from which on any text is long. */
  long?: number;
}

export function createWork({ long, ...options }: WorkOptions = {}): StartedWork {
  const extension = import.meta.url.slice(-3);
  const module = new URL(`./thread${extension}`, import.meta.url);
  const pool: Pool = createPool({ module, ...options });
  return {
    run: async (task, input) => {
      const enough = long ?? (READING.has(task) ? LONG_TO_READ : LONG);
      if (costOf(input, enough) < enough) return (tasks[task] as (of: unknown) => never)(input);
      return (await pool.run(task, input)) as never;
    },
    async warm() {
      for (let time = 0; time < SAMPLES; time += 1) {
        const markdown = sampleOf(PARTS);
        tasks.readJson({ markdown, unkeyed: true });
        tasks.readShown({ markdown, title: "Sample" });
        await sleep(PAUSE);
      }
      const markdown = sampleOf(LONG_PARTS);
      for (let time = 0; time < LONG_SAMPLES; time += 1) {
        await pool.run("readJson", { markdown, unkeyed: true });
        await pool.run("readShown", { markdown, title: "Sample" });
        await pool.run("referencesIn", markdown);
      }
    },
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}

/** What all texts in an input cost. Looks no further than it costs enough. Lists and maps of names in it cost nothing. */
function costOf(input: unknown, enough: number): number {
  if (typeof input === "string") return costOfText(input, enough);
  if (typeof input !== "object" || input === null) return 0;
  let cost = 0;
  for (const value of Object.values(input)) {
    if (cost >= enough) return cost;
    cost += typeof value === "object" ? costOf(value, enough) : costOfText(String(value), enough);
  }
  return cost;
}

function costOfText(text: string, enough: number): number {
  let cost = text.length;
  for (let at = 0; at < text.length && cost < enough; at += 1) cost += MORE[text.charCodeAt(at)] ?? 0;
  return cost;
}

/** What characters of ASCII cost more than others, which are letters, digits and blanks. */
const MORE = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z0-9 ]/i.test(character)) return 0;
  if (character === "\n") return LINE - 1;
  return (OTHERS[character as keyof typeof OTHERS] ?? MARK) - 1;
});
