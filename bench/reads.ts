import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { libraryOf, processesOf, proposeEdits, spread } from "./library.js";
import { compare, medianOf, type Run, read, type Target } from "./load.js";
import { familyOf } from "./processes.js";
import { ITEMS, headers as referenceHeaders, seedReference, startReference } from "./reference.js";
import type { Line } from "./report.js";

const rounds = 3;
const seconds = 4;
const connections = 50;
const PROPOSALS = 1_000;

/**
 * All 10,000 pages of a space in turns, as markdown and as documents, before and after a thousand change requests; lists
 * of spaces. Through gateway and service, against bare node:http and pg in turns.
 */
export async function measureReads(
  stack: Stack,
  call: Client,
  reference: { url: string; client: pg.Client },
  corpus?: string,
): Promise<Line[]> {
  const library = await libraryOf(call, corpus);
  const lists = await seedSpaces(call);
  await seedReference(reference.client, library.texts);
  const server = await startReference(reference.url);
  try {
    const ours = { url: stack.base, headers: tokenOf(stack), processes: await processesOf(stack) };
    const postgres = await stack.pidOf("postgres -D");
    const processes = () => ({ reference: [server.process.pid!], postgres: familyOf(postgres) });
    const bare = { url: server.url, headers: referenceHeaders, processes };
    const page = (query: string) =>
      spread(library.pages).map(({ id }) => `/v1/spaces/${library.space}/content/page/${id}${query}`);
    const bareTargets = {
      barePage: { ...bare, paths: spread(Array.from({ length: ITEMS }, (_, id) => `/one/${id}`)) },
      bareList: { ...bare, paths: Array.from({ length: 100 }, (_, at) => `/list/${at + 1}`) },
    };
    const pages = { page: { ...ours, paths: page("?format=markdown") } };
    const before = await inTurns({ ...bareTargets, ...pages });
    await proposeEdits(call, library, PROPOSALS);
    const after = await inTurns({
      ...bareTargets,
      ...pages,
      document: { ...ours, paths: page("/document") },
      list25: { ...ours, paths: [`${lists}?limit=25`] },
      list100: { ...ours, paths: [`${lists}?limit=100`] },
    });
    return [
      compare("read 10,000 pages", before.page!, before.barePage!, { atLeast: 0.45 }),
      compare(`the same with ${PROPOSALS} change requests`, after.page!, after.barePage!, { atLeast: 0.45 }),
      compare("read 10,000 pages as documents", after.document!, after.barePage!, { atLeast: 0.25 }),
      compare("list 25 spaces", after.list25!, after.bareList!),
      compare("list 100 spaces", after.list100!, after.bareList!),
    ];
  } finally {
    server.process.kill();
  }
}

/** Runs targets in turns, so that what else the machine does meets all of them. */
async function inTurns(targets: Record<string, Target>): Promise<Record<string, Run>> {
  const runs: Record<string, Run[]> = {};
  // Once over everything that is read: what is kept is so in every round.
  for (const target of Object.values(targets)) {
    let left = target.paths.length;
    while (left > 0) left -= seconds * (await read(target, connections, seconds)).perSecond;
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      runs[name] ??= [];
      runs[name].push(await read(target, connections, seconds));
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, each]) => [name, medianOf(each)]));
}

export const tokenOf = (stack: Stack) => ({ authorization: `Bearer ${stack.token}` });

/** The path of the list of an organization with 100 spaces. */
async function seedSpaces(call: Client): Promise<string> {
  const organization = (await call<{ id: string }>("POST", "/orgs", { title: "Readers" })).body.id;
  for (let number = 1; number <= 100; number++)
    await call("POST", `/orgs/${organization}/spaces`, { title: `Space ${number}` });
  return `/v1/orgs/${organization}/spaces`;
}
