import { createClient } from "../tests/harness/client.js";
import { readWhole } from "./load.js";
import { longestAsDocument, longPage } from "./long-pages.js";
import { merge } from "./spaces.js";

/** What a client does over and over: reads paths, or opens, edits and merges change requests over long pages. */
export interface Loop {
  base: string;
  token: string;
  clients: number;
  seconds: number;
  paths?: string[];
  /** A space with one long page for each client. */
  merges?: { space: string; page: string }[];
}

// A process of its own: what the loop makes of responses must not slow the clock of the reads beside it.
process.once("message", async (loop: Loop) => {
  process.send!(await run(loop));
  process.disconnect();
});

/** Rounds that all clients came to. */
async function run({ base, token, clients, seconds, paths, merges }: Loop): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const call = createClient({ base, token });
  const text = longPage("prose", longestAsDocument("prose"));
  let rounds = 0;
  const step = paths
    ? () => readPath(`${base}/v1${paths[rounds % paths.length]}`, token)
    : (client: number) => mergeEdit(call, merges![client]!, `Edit ${rounds}\n\n${text}`);
  const client = async (number: number) => {
    while (performance.now() < until) {
      await step(number);
      rounds++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return rounds;
}

/** Reads a path as browsers take it. Whoever asks for too much is refused after a while. */
async function readPath(url: string, token: string): Promise<void> {
  const status = await readWhole(url, { authorization: `Bearer ${token}`, "accept-encoding": "gzip, br" });
  if (![200, 429, 503].includes(status)) throw new Error(`${url}: ${status}`);
}

async function mergeEdit(
  call: ReturnType<typeof createClient>,
  { space, page }: { space: string; page: string },
  markdown: string,
) {
  const requests = `/spaces/${space}/change-requests`;
  const { body } = await call<{ id: string }>("POST", requests, {});
  const changes = [{ operation: "update_page", page, document: { markdown } }];
  const { status } = await call("POST", `${requests}/${body.id}/content`, { changes });
  if (status >= 300) throw new Error(`An edit was refused with ${status}`);
  await merge(call, `${requests}/${body.id}`);
}
