import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../tests/harness/client.js";
import { importInto } from "./imports.js";
import { discard, generateRepository, servePacked } from "./repositories.js";

interface Page {
  id: string;
  type: string;
  title: string;
  path: string;
  pages?: Page[];
}

/** A space whose pages were imported, with the ids and paths of its documents. */
export interface Space {
  space: string;
  pages: { id: string; path: string }[];
}

/** Imports a generated repository with so many pages, of so many bytes each, into a new space. */
export async function spaceOf(call: Client, pages: number, bytes = 600): Promise<Space> {
  const folder = generateRepository({ pages, bytes });
  const repository = await servePacked(folder);
  try {
    const { space } = await importInto(call, repository);
    const made = await spaceAt(call, space);
    if (made.pages.length !== pages) throw new Error(`${made.pages.length} of ${pages} pages came in`);
    return made;
  } finally {
    await repository.close();
    discard(folder);
  }
}

/** A space with the ids and paths of its documents. */
export async function spaceAt(call: Client, space: string): Promise<Space> {
  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  return { space, pages: flat(body.pages).filter(({ type }) => type === "document") };
}

/** Waits until the search has all pages of a space: they come into its index in the order of their ids. */
export async function untilSearchable(call: Client, space: string): Promise<void> {
  const { body } = await call<{ pages: Page[] }>("GET", `/spaces/${space}/content/pages`);
  const last = flat(body.pages).reduce((one, other) => (one.id > other.id ? one : other));
  const path = `/spaces/${space}/search?query=${encodeURIComponent(`"${last.title}"`)}`;
  for (;;) {
    const { body } = await call<{ items: { id: string }[] }>("GET", path);
    if (body.items.some(({ id }) => id === last.id)) return;
    await sleep(20);
  }
}

const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** Another page at each step, spread over the space. */
export const pageAt = ({ pages }: Space, step: number) => pages[(step * 37 + 11) % pages.length]!;

/** Opens a change request and edits one page in it; returns the path of the change request. */
export async function proposeEdit(
  call: Client,
  { space }: Space,
  page: { id: string },
  text: string,
): Promise<string> {
  const requests = `/spaces/${space}/change-requests`;
  const opened = await call<{ id: string }>("POST", requests, { subject: text.slice(0, 40) });
  const one = `${requests}/${opened.body.id}`;
  const document = { markdown: `# Edited\n\n${text}\n` };
  await call("POST", `${one}/content`, {
    changes: [{ operation: "update_page", page: page.id, document }],
  });
  return one;
}

/** Merges a change request; throws unless it was applied. */
export async function merge(call: Client, changeRequest: string) {
  const { body } = await call<{ result: string }>("POST", `${changeRequest}/merge`);
  if (body.result !== "merge") throw new Error(`The merge returned ${JSON.stringify(body)}`);
}

/** What a step returned, and how many ms it took. */
export async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const response = await work();
  times.push(performance.now() - since);
  return response;
}
