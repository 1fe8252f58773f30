import { arrayOf } from "@octavo/shared/database/any-of";
import { post } from "@octavo/shared/database/posted";
import { yielding } from "@octavo/shared/workers/yield";
import { sql } from "kysely";
import { isInSample, organizationTerm, prefixOf, sampleTerm, spaceTerm } from "../lexemes/lexemes.js";
import type { PageIndex } from "../lexemes/page-index.js";
import { batchesOf, inBatches, type Many, slicesOf } from "../store/batches.js";
import { askForBodies, bodiesOf, sizesOf } from "../store/bodies.js";
import type { Entry, PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { keyInEdition } from "./editions.js";
import { indexSoon, notePending } from "./pending.js";
import { keepWords } from "./spelling-words.js";
import { Vocabulary } from "./vocabulary.js";
import { allowPendingEntries } from "./waiting.js";

/** The columns that are read of a page. */
type Columns = "id" | "kind" | "title" | "slug" | "body" | "git_path" | "props";
/** What is read of a page that the search shall find. */
export type Indexed = Pick<PageEntry, Columns>;
type Put = Indexed | Pick<Exclude<Entry, PageEntry>, Columns>;

interface Changed {
  space: string;
  organization: string;
  put: Many<Put>;
  remove: Many<string>;
  /** The revision at which the pages were read, where that is not the primary content. */
  edition?: string;
  /** The words that changes just before have kept; its own otherwise. */
  vocabulary?: Vocabulary;
}

/** From so many pages on it costs more to find out which words are new than to keep them all again. */
const FEW = 20;
/** Pages that are taken out of the index at a time. */
const BATCH = 500;
/** New pages of one change that are put into the index at once; the others follow by a job. */
export const AT_ONCE = 500;
/** From so many pages on it pays to put the words of many into the index at once. */
const MANY = 100;
/** Characters of sections that one statement takes: more are sent with turns for others in between. */
const SLICE = 1_000_000;

/**
 * Keeps what the search finds in step with the primary content, in the transaction that changes it. Costs the pages that
 * changed. Of many new pages the first 500 are found at once, the others when a job has put them into the index; pages
 * that were there are found as they are now. With an edition, these pages are found in that alone, all at once, and nothing
 * else changes.
 */
export async function indexPages(
  ctx: Pick<Ctx, "db" | "work">,
  { space, organization, put, remove, edition, vocabulary = new Vocabulary() }: Changed,
): Promise<void> {
  const prefix = prefixOf(organization);
  const own = (page: string) => (edition === undefined ? page : keyInEdition(page, edition));
  const scope =
    edition === undefined ? [spaceTerm(space), organizationTerm(organization)] : [spaceTerm(edition)];
  for await (const batch of batchesOf(remove, BATCH))
    vocabulary.know((await forget(ctx, space, batch.map(own), prefix)).words);
  let [fresh, isPending] = [0, false];
  /** The text of a page that changes alone, on its way together with what the index has of the page. */
  let alone: { body: string; text: Awaited<ReturnType<typeof askForBodies>> } | undefined;
  /** What the search shall find at once. The same pages are taken out of the index before. */
  async function* atOnce(): AsyncGenerator<Indexed> {
    for await (const batch of batchesOf(put, BATCH)) {
      const ids = batch.map(({ id }) => own(id));
      const body = batch.length === 1 && isShown(batch[0]!) ? batch[0].body : null;
      if (body !== null) alone = { body, text: await askForBodies(ctx, space, [body]) };
      const { pages, words } = await forget(ctx, space, ids, prefix);
      vocabulary.know(words);
      const later: string[] = [];
      for (const page of batch.filter(isShown)) {
        const isNew = edition === undefined && !pages.has(page.id);
        if (isNew && fresh >= AT_ONCE) later.push(page.id);
        else yield page;
        if (isNew) fresh += 1;
      }
      if (later.length === 0) continue;
      await notePending(ctx, space, later);
      isPending = true;
    }
  }
  const giveWay = yielding();
  let asked = 0;
  await inBatches(atOnce(), {
    sizes: (pages) =>
      sizesOf(
        ctx,
        space,
        pages.map(({ body }) => body),
      ),
    read: async (batch) => {
      asked += batch.length;
      if (asked > MANY && asked - batch.length <= MANY) await allowPendingEntries(ctx);
      if (batch.length === 1 && batch[0]!.body === alone?.body) return alone.text();
      return bodiesOf(
        ctx,
        space,
        batch.flatMap(({ body }) => body ?? []),
      );
    },
    write: async (batch, texts) => {
      const rows: PageIndex[] = [];
      for (const page of batch) {
        const text = (page.body && texts.get(page.body)) || "";
        const key = own(page.id);
        rows.push(await ctx.work.run("indexOf", { page, text, key, prefix }));
        await giveWay();
      }
      for (const { words } of rows) vocabulary.add(words);
      const words = vocabulary.take({ last: false });
      await insert(ctx, { space, organization, scope }, rows);
      await keepWords(ctx, space, words);
    },
  });
  await keepWords(ctx, space, vocabulary.take({ last: true }));
  if (isPending) await indexSoon(ctx, space);
}

/** Whether the search shall find it: a page that has a text of its own and is not kept from it. */
const isShown = (entry: Put): entry is Indexed =>
  entry.kind === "page" && entry.props.type !== "link" && !entry.props.noIndex;

/** Takes pages out of the index; returns those that were there, and the words that they had: these are known. */
async function forget(
  { db }: Pick<Ctx, "db">,
  space: string,
  pages: string[],
  prefix: string,
): Promise<{ pages: Set<string>; words: string[] }> {
  if (pages.length === 0) return { pages: new Set(), words: [] };
  const named = arrayOf(pages);
  const { rows } = await sql<{ page: string; lexemes: string[] | null }>`
    with pending as (delete from search_pending where space = ${space} and page = any(${named})),
      sections as (delete from search_section where space = ${space} and page = any(${named}))
    delete from search_page where space = ${space} and page = any(${named})
    returning page, case when ${pages.length <= FEW} then tsvector_to_array(terms) end as lexemes`.execute(
    db,
  );
  const words = rows.flatMap(({ lexemes }) => (lexemes ?? []).map((lexeme) => lexeme.slice(prefix.length)));
  return { pages: new Set(rows.map(({ page }) => page)), words };
}

/** Where pages are found: by which terms of a scope. */
interface Within {
  space: string;
  organization: string;
  scope: string[];
}

async function insert({ db }: Pick<Ctx, "db">, { space, organization, scope }: Within, rows: PageIndex[]) {
  if (rows.length === 0) return;
  const pages = rows.map(({ page, lexemes }) => ({
    page,
    lexemes: isInSample(page) ? [...lexemes, ...scope.map(sampleTerm)] : lexemes,
  }));
  await post(
    db,
    sql`insert into search_page (space, page, organization, terms)
    select ${space}, r.page, ${organization}, array_to_tsvector(r.lexemes || ${scope}::text[])
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as r (page text, lexemes text[])`,
  );
  const sections = rows.flatMap(({ sections }) => sections);
  for (const slice of slicesOf(sections, ({ length }) => length, SLICE)) {
    await post(
      db,
      sql`insert into search_section (space, page, ordinal, anchor, title, body, terms)
      select ${space}, r.page, r.ordinal, r.anchor, r.title, r.body, r.terms::tsvector
      from jsonb_to_recordset(${`[${slice.join(",")}]`}::jsonb)
        as r (page text, ordinal int, anchor text, title text, body text, terms text)`,
    );
  }
}
