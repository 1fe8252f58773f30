import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { type Library, libraryOf, processesOf } from "./library.js";
import { compare, drive, type Processes, type Run } from "./load.js";
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
    const steps = await stepsOf(call, library, Math.max(...CLIENTS));
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
    const body = JSON.stringify({ body: texts[at % texts.length] });
    const response = await fetch(`${url}/write/${(at * 37) % ITEMS}`, {
      method: "POST",
      headers: { ...referenceHeaders, "content-type": "application/json" },
      body,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The reference refused with ${response.status}`);
  };
}

/** What clients do; each has a change request of its own. */
async function stepsOf(call: Client, { space, pages, texts }: Library, clients: number) {
  const requests = `/spaces/${space}/change-requests`;
  const open = async () => (await ok(call<{ id: string }>("POST", requests, { subject: "Bench" }))).body.id;
  const own: string[] = [];
  for (let client = 0; client < clients; client++) own.push(await open());
  let next = 0;
  const document = (at: number) => ({ markdown: `${texts[at % texts.length]}\n\nWritten ${at}.\n` });
  const update = (request: string) => {
    const at = next++;
    const page = pages[(at * 37) % pages.length]!.id;
    const changes = [{ operation: "update_page", page, document: document(at) }];
    return ok(call("POST", `${requests}/${request}/content`, { changes }));
  };
  const steps: Record<string, Step> = {
    "edit of a page": (client) => update(own[client]!),
    "new page": (client) => {
      const at = next++;
      const changes = [{ operation: "insert_page", title: `New ${at}`, document: document(at) }];
      return ok(call("POST", `${requests}/${own[client]}/content`, { changes }));
    },
    comment: () =>
      ok(call("POST", `/spaces/${space}/comments`, { body: { markdown: `Said ${next++}, as others did.` } })),
    "open, edit and merge": async () => {
      const request = await open();
      await update(request);
      const { body } = await ok(call<{ result: string }>("POST", `${requests}/${request}/merge`));
      if (body.result !== "merge") throw new Error(`A merge came to ${body.result}`);
    },
  };
  return steps;
}

async function ok<T extends { status: number }>(response: Promise<T>): Promise<T> {
  const made = await response;
  if (made.status >= 300) throw new Error(`A write was refused: ${JSON.stringify(made)}`);
  return made;
}
