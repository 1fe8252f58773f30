import { type SelectQueryBuilder, sql } from "kysely";
import { encodeCursor, type Key, keysIn } from "./contracts/cursor.js";
import { badCursor, decodeCursor } from "./cursor.js";

interface OrderBy {
  /** A selected column; the query returns it under its bare name. */
  column: string;
  direction?: "asc" | "desc";
}

interface Options<Row, Item> {
  // biome-ignore lint/suspicious/noExplicitAny: any query of any table may be paged
  query: SelectQueryBuilder<any, any, Row>;
  by?: OrderBy[];
  /** The unique column that breaks ties, `id` when absent. It is compared in the direction of the last order. */
  key?: string;
  /** Of the key; the last order's by default. */
  direction?: "asc" | "desc";
  input: { page?: string; limit: number };
  /** The number of all items, where it is known without counting them: it is reported as it is at each page. */
  count?: () => number | Promise<number>;
  /** Turns the rows of one page into items, all at once, so that look-ups can be batched. */
  view: (rows: Row[]) => Item[] | Promise<Item[]>;
}

export interface Page<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

/**
 * One page of a query by keyset: the cursor holds the order keys of the last item, so no item that was there
 * throughout is missed or repeated. `count` is the number of all items; it is counted once, when they do not fit on
 * the first page, and travels in the cursor to all other pages. A cursor that this function did not make is 400.
 */
export async function paginate<Row, Item>(options: Options<Row, Item>): Promise<Page<Item>> {
  const { query, by = [], key = "id", input, count: known, view } = options;
  const orders = [...by, { column: key, direction: options.direction ?? by.at(-1)?.direction ?? "asc" }];
  const { after, counted } = positionIn(input.page, orders.length);
  let paged = query;
  if (after) paged = paged.where(beyond(orders, after));
  for (const { column, direction } of orders) {
    paged = paged.orderBy(sql.ref(column), direction);
  }
  const rows = input.limit === 0 ? [] : await read(paged.limit(input.limit + 1), after !== undefined);
  const more = rows.length > input.limit;
  const page = more ? rows.slice(0, input.limit) : rows;
  const whole = !after && !more && input.limit > 0;
  const count = whole ? page.length : known ? await known() : (counted ?? (await total(query)));
  const items = page.length === 0 ? [] : await view(page);
  if (!more) return { items, count };
  const keys = keysOf(page.at(-1)!, orders);
  return { items, count, next: { page: encodeCursor(known ? keys : [...keys, `${COUNT}${count}`]) } };
}

/** Stands before the number of all items, behind the keys of a cursor. */
const COUNT = "count=";

/** Where a page begins, and how many items there were when the first one was read; cursors of earlier releases do not hold it. */
function positionIn(page: string | undefined, length: number): { after?: Key[]; counted?: number } {
  if (page === undefined) return {};
  const last = String(keysIn(page)?.[length] ?? "");
  if (!/^count=\d{1,15}$/.test(last)) return { after: decodeCursor(page, length) };
  return {
    after: decodeCursor(page, length + 1).slice(0, length),
    counted: Number(last.slice(COUNT.length)),
  };
}

/** What PostgreSQL says of keys that are not of this list's types. */
const WRONG_KEY = /^22(P02|003|007|008|021)$/;

// biome-ignore lint/suspicious/noExplicitAny: any query of any table may be paged
async function read<Row>(query: SelectQueryBuilder<any, any, Row>, continued: boolean): Promise<Row[]> {
  try {
    return await query.execute();
  } catch (error) {
    if (continued && WRONG_KEY.test(String((error as { code?: unknown }).code))) badCursor();
    throw error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any query of any table may be counted
async function total(query: SelectQueryBuilder<any, any, any>): Promise<number> {
  const row = await query
    .clearSelect()
    .clearOrderBy()
    .select((of) => of.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function beyond(orders: OrderBy[], after: Key[]) {
  const same = new Set(orders.map(({ direction = "asc" }) => direction)).size === 1;
  if (same) {
    const left = sql.join(orders.map(({ column }) => sql.ref(column)));
    const right = sql.join(after.map((value) => sql.val(value)));
    return orders[0]!.direction === "desc"
      ? sql<boolean>`(${left}) < (${right})`
      : sql<boolean>`(${left}) > (${right})`;
  }
  const clauses = orders.map(({ column, direction }, index) => {
    const equal = orders.slice(0, index).map((order, at) => sql`${sql.ref(order.column)} = ${after[at]!}`);
    const next =
      direction === "desc"
        ? sql`${sql.ref(column)} < ${after[index]!}`
        : sql`${sql.ref(column)} > ${after[index]!}`;
    return sql`(${sql.join([...equal, next], sql` and `)})`;
  });
  return sql<boolean>`(${sql.join(clauses, sql` or `)})`;
}

const keysOf = (row: unknown, orders: OrderBy[]) =>
  orders.map(({ column }) => (row as Record<string, Key>)[bare(column)]);
const bare = (column: string) => column.split(".").at(-1)!;
