import { sections } from "@octavo/markdown/sections";
import { sql } from "kysely";
import type { PageProps } from "../content/view.js";
import { bodiesOf } from "../store/bodies.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { termsOf } from "./terms.js";

interface Changed {
  space: string;
  organization: string;
  put: Entry[];
  remove: string[];
}

interface Row {
  page: string;
  ordinal: number;
  anchor: string | null;
  title: string;
  body: string;
  heads: string;
  words: string;
}

/** Pages at a time, so that the memory of an import does not grow with the repository. */
const BATCH = 50;
/** A section longer than this is found by its beginning: a tsvector holds less than 1 MB. */
const MAX_SECTION = 100_000;

/** Keeps what the search finds in step with the primary content, in the transaction that changes it. Costs the pages that changed. */
export async function indexPages(ctx: Ctx, { space, organization, put, remove }: Changed): Promise<void> {
  const pages = put.filter(
    ({ kind, props }) => kind === "page" && (props as unknown as PageProps).type !== "link",
  );
  await forget(ctx, space, [...remove, ...pages.map(({ id }) => id)]);
  const shown = pages.filter(({ props }) => !(props as unknown as PageProps).noIndex);
  await inBatches(shown, {
    read: (batch) =>
      bodiesOf(
        ctx,
        space,
        batch.flatMap(({ body }) => body ?? []),
      ),
    write: (batch, texts) => {
      const rows = batch.flatMap((page) => rowsOf(page, page.body ? (texts.get(page.body) ?? "") : ""));
      return insert(ctx, space, organization, rows);
    },
  });
}

interface Steps<Item, Read> {
  read: (batch: Item[]) => Promise<Read>;
  write: (batch: Item[], read: Read) => Promise<void>;
}

/**
 * Goes through items batch by batch. The next batch is asked for before the last is written, on one connection: so it
 * can be prepared here while the database is writing.
 */
async function inBatches<Item, Read>(items: Item[], { read, write }: Steps<Item, Read>): Promise<void> {
  const batchAt = (at: number) => items.slice(at, at + BATCH);
  let reading = read(batchAt(0));
  let written: Promise<void> = Promise.resolve();
  for (let at = 0; at < items.length; at += BATCH) {
    const [before, current] = [written, await reading];
    reading = read(batchAt(at + BATCH));
    written = write(batchAt(at), current);
    // Both are awaited later; until then a failure of theirs is not unhandled.
    for (const promise of [reading, written]) promise.catch(() => undefined);
    await before;
  }
  await written;
}

async function forget(ctx: Ctx, space: string, pages: string[]) {
  if (pages.length === 0) return;
  await sql`delete from search_section where space = ${space} and page = any(${pages})`.execute(ctx.db);
}

function rowsOf(page: Entry, text: string): Row[] {
  const { description = "" } = page.props as unknown as PageProps;
  return sections(text).map(({ anchor = null, title, text }, ordinal) => {
    const head = ordinal === 0 ? page.title : title;
    const body = (ordinal === 0 ? `${description} ${text}` : text).slice(0, MAX_SECTION).trim();
    return { page: page.id, ordinal, anchor, title: head, body, heads: termsOf(head), words: termsOf(body) };
  });
}

async function insert(ctx: Ctx, space: string, organization: string, rows: Row[]) {
  if (rows.length === 0) return;
  await sql`insert into search_section (space, page, ordinal, organization, anchor, title, body, terms)
    select ${space}, r.page, r.ordinal, ${organization}, r.anchor, r.title, r.body,
      setweight(to_tsvector('simple', r.heads), case when r.ordinal = 0 then 'A' else 'B' end::"char")
      || setweight(to_tsvector('simple', r.words), 'D')
      || ${scopeTerms(space, organization)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (page text, ordinal int, anchor text, title text, body text, heads text, words text)`.execute(
    ctx.db,
  );
}

/** Terms that name the space and the organization: the one index serves both searches. */
export const scopeTerms = (space: string, organization: string) =>
  sql`array_to_tsvector(array[${spaceTerm(space)}, ${organizationTerm(organization)}])`;
export const spaceTerm = (space: string) => `space:${space}`;
export const organizationTerm = (organization: string) => `org:${organization}`;
