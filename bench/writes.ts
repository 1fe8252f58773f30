import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { type Library, libraryOf, processesOf } from "./library.js";
import { compare, drive, type Processes, type Run, send } from "./load.js";
import { familyOf } from "./processes.js";
import { ITEMS, headers as referenceHeaders, seedReference, startReference } from "./reference.js";
import type { Line } from "./report.js";

const seconds = 8;
const CLIENTS = [10, 50];

type Step = (client: number) => Promise<unknown>;

/**
 * Writes of many clients in one space of 10,000 pages, against a transaction of four statements in turns: edits and new
 * pages, each client in a change request of its own; comments on the space; and change requests that are opened, edited
 * and merged.
 */
export async function measureWrites(
  stack: Stack,
  call: Client,
  reference: { url: string; client: pg.Client },
  corpus?: string,
): Promise<Line[]> {
  const library = await libraryOf(call, corpus);
  await seedReference(reference.client, library.texts);
  const server = await startReference(reference.url);
  try {
    const ours = await processesOf(stack);
    const postgres = await stack.pidOf("postgres -D");
    const bare = () => ({ reference: [server.process.pid!], postgres: familyOf(postgres) });
    const written = referenceWrite(server.url, library);
    const steps = await stepsOf(stack, library, Math.max(...CLIENTS));
    const lines: Line[] = [];
    for (const clients of CLIENTS) {
      const measure = (step: Step, processes: Processes): Promise<Run> =>
        drive(step, processes, clients, seconds);
      const beside = await measure(written, bare);
      for (const [what, step] of Object.entries(steps)) {
        lines.push(compare(`${what}, ${clients} clients`, await measure(step, ours), beside));
        process.stderr.write(`  ${lines.at(-1)!.what}: ${lines.at(-1)!.measured}\n`);
      }
    }
    return lines;
  } finally {
    server.process.kill();
  }
}

/** A write of the reference; another row at each step. */
function referenceWrite(url: string, { texts }: Library): Step {
  let next = 0;
  return async () => {
    const at = next++;
    const body = { body: texts[at % texts.length] };
    await send(`${url}/write/${(at * 37) % ITEMS}`, referenceHeaders, body);
  };
}

/** What clients do; each has a change request of its own. */
async function stepsOf({ base, token }: Stack, { space, pages, texts }: Library, clients: number) {
  const headers = { authorization: `Bearer ${token}` };
  const post = <Response = unknown>(path: string, body: object) =>
    send<Response>(`${base}/v1/spaces/${space}/${path}`, headers, body);
  const open = async () => (await post<{ id: string }>("change-requests", { subject: "Bench" })).id;
  const own: string[] = [];
  for (let client = 0; client < clients; client++) own.push(await open());
  let next = 0;
  const document = (at: number) => ({ markdown: `${texts[at % texts.length]}\n\nWritten ${at}.\n` });
  const change = (request: string, change: object) =>
    post(`change-requests/${request}/content`, { changes: [change] });
  const update = (request: string) => {
    const at = next++;
    const page = pages[(at * 37) % pages.length]!.id;
    return change(request, { operation: "update_page", page, document: document(at) });
  };
  const steps: Record<string, Step> = {
    "edit of a page": (client) => update(own[client]!),
    "new page": (client) => {
      const at = next++;
      return change(own[client]!, { operation: "insert_page", title: `New ${at}`, document: document(at) });
    },
    comment: () => post("comments", { body: { markdown: `Said ${next++}, as others did.` } }),
    "open, edit and merge": async () => {
      const request = await open();
      await update(request);
      const { result } = await post<{ result: string }>(`change-requests/${request}/merge`, {});
      if (result !== "merge") throw new Error(`A merge came to ${result}`);
    },
  };
  return steps;
}
