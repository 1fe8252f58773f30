import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { wordsOf } from "./terms.js";

/** A section that was found, with the rank of the page that holds it. */
export interface Hit {
  space: string;
  page: string;
  ordinal: number;
  anchor: string | null;
  title: string;
  body: string;
  rank: number;
}

/** A search looks at this many sections at most: what comes behind the best of so many is not read by anyone. */
const CANDIDATES = 1_000;
/** How much a word weighs: in texts, -, in headings, in the titles of pages. */
const WEIGHTS = "{0.1, 0.2, 0.6, 1.0}";

/**
 * What a reader asks for, as a tsquery: every word has to be there, the last one as a beginning (it may be half
 * typed), and a part in quotes word by word. Undefined when the query holds no word.
 */
export function tsqueryOf(query: string): string | undefined {
  const phrases = [...query.matchAll(/"([^"]*)"/g)]
    .map(([, phrase]) => wordsOf(phrase!))
    .filter((words) => words.length > 0);
  const loose = wordsOf(query.replace(/"[^"]*"/g, " "));
  const unfinished = loose.length > 0 && !/["\s]$/.test(query);
  const terms = [
    ...phrases.map((words) => `(${words.map(lexeme).join(" <-> ")})`),
    ...loose.map((word, at) => (unfinished && at === loose.length - 1 ? `${lexeme(word)}:*` : lexeme(word))),
  ];
  return terms.length > 0 ? terms.join(" & ") : undefined;
}

const lexeme = (word: string) => `'${word.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;

/**
 * The sections that match, best first: titles of pages rank above headings, headings above texts. `scope` is the term
 * of a space or organization; `spaces` are those that the caller may read, where not all of the scope are.
 */
export async function findSections(
  ctx: Ctx,
  scope: string,
  tsquery: string,
  spaces?: string[],
): Promise<Hit[]> {
  const wanted = sql`(${`${lexeme(scope)} & (${tsquery})`})::tsquery`;
  const readable = spaces ? sql`and space = any(${spaces})` : sql``;
  const { rows } = await sql<Hit>`select space, page, ordinal, anchor, title, body,
      ts_rank(${WEIGHTS}::real[], terms, ${sql`(${tsquery})::tsquery`}) as rank
    from search_section where terms @@ ${wanted} ${readable}
    order by rank desc, space, page, ordinal limit ${CANDIDATES}`.execute(ctx.db);
  return rows;
}
