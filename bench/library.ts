import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { importInto } from "./imports.js";
import type { Processes } from "./load.js";
import { familyOf } from "./processes.js";
import { discard, servePacked } from "./repositories.js";
import { type Space, spaceAt, untilSearchable } from "./spaces.js";
import { realTexts, repositoryOf } from "./texts.js";

const PAGES = 10_000;
const BYTES = 4_300;
const OPENERS = 10;

/** A space of 10,000 pages of real text, whose pages link to each other. */
export interface Library extends Space {
  texts: string[];
}

let made: Promise<Library> | undefined;

/** The library of a run of the benchmark; made once, of the documentation of a folder where one is given. */
export const libraryOf = (call: Client, corpus?: string) => {
  made ??= importLibrary(call, corpus);
  return made;
};

async function importLibrary(call: Client, corpus?: string): Promise<Library> {
  const texts = realTexts(PAGES, BYTES, corpus);
  const folder = repositoryOf(texts);
  const repository = await servePacked(folder);
  try {
    const { space, seconds } = await importInto(call, repository);
    process.stderr.write(`  ${PAGES} pages imported in ${seconds.toFixed(1)} s\n`);
    await untilSearchable(call, space);
    return { ...(await spaceAt(call, space)), texts };
  } finally {
    await repository.close();
    discard(folder);
  }
}

/** Change requests, each with an edited page whose text links to others: what a space has after years. */
export async function proposeEdits(call: Client, library: Library, count: number): Promise<void> {
  const { space, pages, texts } = library;
  const requests = `/spaces/${space}/change-requests`;
  let next = 0;
  const opener = async () => {
    for (let at = next++; at < count; at = next++) {
      const opened = await call<{ id: string }>("POST", requests, { subject: `Proposal ${at}` });
      const page = pages[(at * 9) % pages.length]!;
      const document = { markdown: `${texts[at % texts.length]}\n\nProposed ${at}.\n` };
      const changes = [{ operation: "update_page", page: page.id, document }];
      const { status } = await call("POST", `${requests}/${opened.body.id}/content`, { changes });
      if (status >= 300) throw new Error(`A proposal was refused with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: OPENERS }, opener));
}

/** Other paths at each step, over all pages: neighbours are not read one after the other. */
export const spread = <Item>(items: Item[]): Item[] =>
  items.map((_, at) => items[(at * 7_919) % items.length]!);

/** The processes of a stack whose CPU is measured. */
export async function processesOf(stack: Stack): Promise<Processes> {
  const pid = (part: string) => stack.pidOf(part);
  const [gateway, content, orgs, sites, integrations, postgres, nats] = await Promise.all([
    pid("gateway/dist"),
    pid("services/content"),
    pid("services/orgs"),
    pid("services/sites"),
    pid("services/integrations"),
    pid("postgres -D"),
    pid("nats-server"),
  ]);
  const others = [sites!, integrations!, nats!];
  return () => ({
    gateway: [gateway!],
    content: [content!],
    orgs: [orgs!],
    others,
    postgres: familyOf(postgres!),
  });
}
