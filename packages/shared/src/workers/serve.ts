import { once } from "node:events";
import { parentPort } from "node:worker_threads";

/** A piece of work, as a thread is given it. */
export interface Order {
  task: string;
  input: unknown;
}

/** What a thread says: pieces of a long list of nodes, and at the end the value around them, or what it threw. */
export type Answer = { piece: string } | { value: string } | { failure: unknown };

/** About how many characters of JSON the other side reads in one go. */
const PIECE = 500_000;

// biome-ignore lint/suspicious/noExplicitAny: each task knows its own input
type Tasks = Record<string, (input: any) => unknown>;

/** Does the tasks that the other side of this thread asks for, one after the other. */
export function serve(tasks: Tasks): void {
  const port = parentPort!;
  const say = (answer: Answer) => port.postMessage(answer);
  port.on("message", (order: Order | "next") => {
    if (order === "next") return;
    answer(order).catch((failure: unknown) => say({ failure }));
  });

  async function answer({ task, input }: Order): Promise<void> {
    const value = tasks[task]!(input);
    const nodes = (value as { nodes?: unknown } | null | undefined)?.nodes;
    if (!Array.isArray(nodes) || nodes.length < 2) return say({ value: JSON.stringify({ value }) });
    let open: string[] = [];
    let length = 0;
    const flush = async () => {
      if (open.length === 0) return;
      say({ piece: `[${open.join(",")}]` });
      [open, length] = [[], 0];
      await once(port, "message");
    };
    for (const node of nodes) {
      open.push(JSON.stringify(node));
      length += open.at(-1)!.length;
      if (length >= PIECE) await flush();
    }
    await flush();
    say({ value: JSON.stringify({ value: { ...(value as object), nodes: [] } }) });
  }
}
