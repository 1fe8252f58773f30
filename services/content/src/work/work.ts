import { createPool, type Pool, type PoolOptions } from "@octavo/shared/workers/pool";
import { tasks } from "./tasks.js";

type Tasks = typeof tasks;
type Name = keyof Tasks;

/** Characters from which on a text is read on another thread: about 50 ms of work, which nobody else shall wait for. */
export const LONG = 100_000;

/** Work that takes as long as texts are: at once for short ones, on another thread for long ones. */
export interface Work {
  /** The result is the same either way. Long work that takes too long is refused with 503. */
  run<Task extends Name>(task: Task, input: Parameters<Tasks[Task]>[0]): Promise<ReturnType<Tasks[Task]>>;
  /** How much was done on other threads so far. */
  readonly done: number;
  close(): Promise<void>;
}

interface WorkOptions extends Partial<PoolOptions> {
  /** Characters from which on a text is long. */
  long?: number;
}

export function createWork({ long = LONG, ...options }: WorkOptions = {}): Work {
  const extension = import.meta.url.slice(-3);
  const module = new URL(`./thread${extension}`, import.meta.url);
  const pool: Pool = createPool({ module, ...options });
  return {
    run: async (task, input) => {
      if (lengthOf(input) < long) return (tasks[task] as (of: unknown) => never)(input);
      return (await pool.run(task, input)) as never;
    },
    close: pool.close,
    get done() {
      return pool.done;
    },
  };
}

/** The characters of all texts in an input; lists and maps of names in it count nothing. */
function lengthOf(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (typeof input !== "object" || input === null) return 0;
  let length = 0;
  for (const value of Object.values(input))
    length += typeof value === "object" ? lengthOf(value) : String(value).length;
  return length;
}
