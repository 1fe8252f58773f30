import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import { makerOf } from "../tests/harness/permissions.js";
import type { Stack } from "../tests/harness/stack.js";
import { processesOf } from "./library.js";
import { compare, medianOf, type Run, read, readLightly, summaryOf, type Target } from "./load.js";
import { familyOf } from "./processes.js";
import { tokenOf } from "./reads.js";
import { ITEMS, headers as referenceHeaders, seedReference, startReference } from "./reference.js";
import type { Line } from "./report.js";
import { realTexts } from "./texts.js";

const rounds = 5;
const seconds = 4;
/** Rounds that are not counted: they find nothing remembered, and code that is compiled as it is used. */
const WARM_UP = 3;
const CLIENTS = 20;
const READERS = 50;
const SECTIONS = 40;
const VARIANTS = 5;
const PAGES = 50;
const BYTES = 4_300;
/** Milliseconds that 99 of 100 reads of a large site take at most. */
const P99 = 30;

/**
 * What a renderer reads of a site with 40 sections and 200 site spaces: what its addresses show, and its profile. And
 * documents of a revision that a client has already. Beside rows of the reference in turns.
 */
export async function measurePublished(
  stack: Stack,
  call: Client,
  reference: { url: string; client: pg.Client },
  corpus?: string,
): Promise<Line[]> {
  const texts = realTexts(PAGES, BYTES, corpus);
  const site = await largeSite(call);
  const known = await knownDocuments(call, texts);
  await seedReference(reference.client, texts);
  const server = await startReference(reference.url);
  try {
    const ours = { url: stack.base, headers: tokenOf(stack), processes: await processesOf(stack) };
    const postgres = await stack.pidOf("postgres -D");
    const processes = () => ({ reference: [server.process.pid!], postgres: familyOf(postgres) });
    const rows = Array.from({ length: 1_000 }, (_, at) => `/one/${(at * 7) % ITEMS}`);
    const bare = { url: server.url, headers: referenceHeaders, paths: rows, processes };
    // As what renderers are made of asks, such as `fetch`.
    const taken = { "accept-encoding": "gzip" };
    const renderer = { ...ours, headers: { authorization: `Bearer ${site.apiToken}`, ...taken } };
    const few = await inTurns(readLightly, CLIENTS, {
      bare: { ...bare },
      addresses: { ...ours, paths: site.addresses.map(lookupOf) },
      profile: { ...renderer, paths: [site.profile] },
    });
    const many = await inTurns(read, READERS, {
      bare: { ...bare },
      unchanged: { ...ours, paths: [...known.keys()], tagOf: (path) => known.get(path)! },
    });
    const slowest = (what: string, run: Run): Line => ({
      what,
      measured: summaryOf(run),
      reference: summaryOf(few.bare!),
      result: run.p99,
      unit: "ms p99",
      target: { atMost: P99 },
    });
    return [
      slowest(`urls/published, ${SECTIONS * VARIANTS} site spaces, ${CLIENTS} clients`, few.addresses!),
      slowest(`published, ${SECTIONS * VARIANTS} site spaces, ${CLIENTS} clients`, few.profile!),
      compare("document of a revision, unchanged", many.unchanged!, many.bare!, { atLeast: 0.6 }),
    ];
  } finally {
    server.process.kill();
  }
}

const lookupOf = (address: string) => `/v1/urls/published?url=${encodeURIComponent(address)}`;

async function inTurns(
  load: typeof read,
  clients: number,
  targets: Record<string, Target>,
): Promise<Record<string, Run>> {
  const runs: Record<string, Run[]> = {};
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      const run = await load(target, clients, seconds);
      if (round >= WARM_UP) runs[name] = [...(runs[name] ?? []), run];
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, each]) => [name, medianOf(each)]));
}

interface Site {
  /** Of pages that may be there, on all of its site spaces. */
  addresses: string[];
  /** The path of its profile, and what reads it. */
  profile: string;
  apiToken: string;
}

async function largeSite(call: Client): Promise<Site> {
  const make = makerOf(call);
  const org = `/orgs/${(await make("POST", "/orgs", { title: "Publishers" })).id}`;
  const newSpace = async (title: string) => (await make("POST", `${org}/spaces`, { title })).id;
  const site = `${org}/sites/${(await make("POST", `${org}/sites`, { title: "Large" })).id}`;
  for (let at = 0; at < SECTIONS; at++) {
    const first = { spaceId: await newSpace(`Section ${at}`), title: `Section ${at}` };
    const sectionId = (await make("POST", `${site}/sections`, first)).id;
    for (let variant = 1; variant < VARIANTS; variant++)
      await make("POST", `${site}/site-spaces`, { spaceId: await newSpace(`Version ${variant}`), sectionId });
  }
  const url = (await make<{ urls: { published: string } }>("POST", `${site}/publish`)).urls.published;
  const { items } = await make<{ items: { urls: { published: string } }[] }>(
    ...(["GET", `${site}/site-spaces?limit=1000`] as const),
  );
  const { apiToken } = await make<{ apiToken: string }>("POST", "/urls/published", { url });
  const addresses = items.map(({ urls }) => `${urls.published}guides/first-steps`);
  return { addresses, profile: `/v1${site}/published`, apiToken };
}

/** Documents of a revision, with the tags under which a client has them. */
async function knownDocuments(call: Client, texts: string[]): Promise<Map<string, string>> {
  const make = makerOf(call);
  const org = `/orgs/${(await make("POST", "/orgs", { title: "Keepers" })).id}`;
  const space = `/spaces/${(await make("POST", `${org}/spaces`, { title: "Kept" })).id}`;
  const request = `${space}/change-requests/${(await make("POST", `${space}/change-requests`, {})).id}`;
  const changes = texts.map((markdown, at) => ({
    operation: "insert_page",
    title: `Page ${at}`,
    document: { markdown },
  }));
  await make("POST", `${request}/content`, { changes });
  const { revision } = await make<{ revision: string }>("POST", `${request}/merge`);
  const { pages } = await make<{ pages: { id: string }[] }>(
    ...(["GET", `${space}/revisions/${revision}/pages`] as const),
  );
  const tags = new Map<string, string>();
  for (const { id } of pages) {
    const path = `${space}/revisions/${revision}/page/${id}/document`;
    tags.set(`/v1${path}`, (await call("GET", path)).headers.get("etag")!);
  }
  return tags;
}
