import { arrayOf } from "@octavo/shared/database/any-of";
import { post } from "@octavo/shared/database/posted";
import { yielding } from "@octavo/shared/workers/yield";
import { sql } from "kysely";
import { isInSample, organizationTerm, prefixOf, sampleTerm, spaceTerm } from "../lexemes/lexemes.js";
import type { Digests, PageIndex } from "../lexemes/page-index.js";
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

/** Of more pages it costs more to find out which words and sections are new than to keep them all again. */
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
    vocabulary.know((await forget(ctx, space, { pages: batch.map(own), prefix })).words);
  let [fresh, isPending] = [0, false];
  /** What the index keeps of pages that change, by their ids. */
  const kept = new Map<string, Digests>();
  /** The text of a page that changes alone, on its way together with what the index has of the page. */
  let alone: { body: string; text: Awaited<ReturnType<typeof askForBodies>> } | undefined;
  /** What the search shall find at once. The same pages are taken out of the index before. */
  async function* atOnce(): AsyncGenerator<Indexed> {
    for await (const batch of batchesOf(put, BATCH)) {
      const ids = batch.map(({ id }) => own(id));
      const body = batch.length === 1 && isShown(batch[0]!) ? batch[0].body : null;
      if (body !== null) alone = { body, text: await askForBodies(ctx, space, [body]) };
      const shown = batch.filter(isShown);
      const changing = batch.length <= FEW ? shown.map(({ id }) => own(id)) : [];
      const { pages, words } = await forget(ctx, space, { pages: ids, changing, prefix });
      vocabulary.know(words);
      const later: string[] = [];
      for (const page of shown) {
        const isNew = edition === undefined && !pages.has(page.id);
        const digests = pages.get(own(page.id));
        if (digests) kept.set(page.id, digests);
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
        const before = kept.get(page.id);
        const row = await ctx.work.run("indexOf", { page, text, key, prefix, kept: before });
        if (before && before.length > row.count) await dropBehind(ctx, space, row);
        rows.push(row);
        await giveWay();
      }
      for (const { words } of rows) vocabulary.add(words);
      const words = vocabulary.take({ last: false });
      await insert(
        ctx,
        { space, organization, scope },
        rows,
        batch.some(({ id }) => kept.has(id)),
      );
      await keepWords(ctx, space, words);
    },
  });
  await keepWords(ctx, space, vocabulary.take({ last: true }));
  if (isPending) await indexSoon(ctx, space);
}

/** Whether the search shall find it: a page that has a text of its own and is not kept from it. */
const isShown = (entry: Put): entry is Indexed =>
  entry.kind === "page" && entry.props.type !== "link" && !entry.props.noIndex;

interface Forgotten {
  pages: string[];
  /** Those of which the sections stay for now: most of them are the same afterwards. */
  changing?: string[];
  prefix: string;
}

/**
 * Takes pages out of the index; returns those that were there with the digests of the sections that stay, and the words that
 * they had: these are known.
 */
async function forget(
  { db }: Pick<Ctx, "db">,
  space: string,
  { pages, changing = [], prefix }: Forgotten,
): Promise<{ pages: Map<string, Digests | null>; words: string[] }> {
  if (pages.length === 0) return { pages: new Map(), words: [] };
  const named = arrayOf(pages);
  const isChanging = sql`any(${arrayOf(changing)})`;
  // What is not there as a page is kept in no part.
  const staying = sql`array(select page from search_page where space = ${space} and page = ${isChanging})`;
  const { rows } = await sql<{ page: string; lexemes: string[] | null; digests: Digests | null }>`
    with pending as (delete from search_pending where space = ${space} and page = any(${named})),
      sections as (delete from search_section where space = ${space} and page = any(${named})
        and page <> all(${staying}))
    delete from search_page p where space = ${space} and page = any(${named})
    returning page, case when ${pages.length <= FEW} then tsvector_to_array(terms) end as lexemes,
      case when page = ${isChanging} then array(select s.digest from search_section s
        where s.space = p.space and s.page = p.page order by s.ordinal) end as digests`.execute(db);
  const words = rows.flatMap(({ lexemes }) => (lexemes ?? []).map((lexeme) => lexeme.slice(prefix.length)));
  return { pages: new Map(rows.map(({ page, digests }) => [page, digests])), words };
}

/** Takes the sections of a page out of the index that it does not have any more. */
const dropBehind = ({ db }: Pick<Ctx, "db">, space: string, { page, count }: PageIndex) =>
  post(
    db,
    sql`delete from search_section where space = ${space} and page = ${page} and ordinal >= (select ${count}::int)`,
  );

/** Where pages are found: by which terms of a scope. */
interface Within {
  space: string;
  organization: string;
  scope: string[];
}

/** Puts pages into the index; other sections of some of them may be there. */
async function insert(
  { db }: Pick<Ctx, "db">,
  { space, organization, scope }: Within,
  rows: PageIndex[],
  overOthers: boolean,
) {
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
      sql`insert into search_section (space, page, ordinal, anchor, title, body, terms, digest)
      select ${space}, r.page, r.ordinal, r.anchor, r.title, r.body, r.terms::tsvector, r.digest
      from jsonb_to_recordset(${`[${slice.join(",")}]`}::jsonb)
        as r (page text, ordinal int, anchor text, title text, body text, terms text, digest text)
      ${overOthers ? REPLACING : sql``}`,
    );
  }
}

const REPLACING = sql`on conflict (space, page, ordinal) do update
  set (anchor, title, body, terms, digest)
    = (excluded.anchor, excluded.title, excluded.body, excluded.terms, excluded.digest)`;
