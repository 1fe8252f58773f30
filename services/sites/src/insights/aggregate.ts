import { refuse, refuseAt } from "@octavo/shared/errors";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { type Expression, expressionOf, keyOf } from "./columns.js";
import type { Aggregation, Column, Filter } from "./query-schema.js";
import { keyDigest } from "./rows.js";

const LONGEST_MS = 10_000;

/** Which events are counted, and from when until when. */
export interface Counted {
  site: string;
  from: Date;
  to: Date;
}

/**
 * Counts events by columns: one list of values for each selected column. Nothing of a query becomes SQL but the
 * expressions of its columns; all values are parameters. 400 for groups of measures, and for an order by what is not
 * grouped; 504 when it takes more than ten seconds.
 */
export async function aggregate(ctx: Ctx, events: Counted, query: Aggregation) {
  const selected = query.select ?? [...(query.groupBy ?? []), { column: "eventsCount" as const }];
  const grouped = dimensionsOf(query, selected);
  const rows = await run(ctx, statementOf(events, query, selected, grouped));
  const columns = selected.map((column, index) => ({
    column: column.column,
    ...("claim" in column && { claim: column.claim }),
    values: rows.map((row) => row[`v${index}`]),
  }));
  return { columns };
}

/** The columns that events are grouped by: those that say so, and those that are selected beside measures. */
function dimensionsOf({ groupBy = [], order }: Aggregation, selected: Column[]): Column[] {
  for (const [index, column] of groupBy.entries())
    if (expressionOf(column).isMeasure) refuseAt(`body.groupBy.${index}`, "is counted, and groups nothing");
  const all = [...groupBy, ...selected.filter((column) => !expressionOf(column).isMeasure)];
  const dimensions = [...new Map(all.map((column) => [keyOf(column), column])).values()];
  const isKnown = (by: Column) => dimensions.some((column) => keyOf(column) === keyOf(by));
  if (order && !expressionOf(order.by).isMeasure && !isKnown(order.by))
    refuseAt("body.order.by", "is neither counted nor grouped by");
  return dimensions;
}

function statementOf(
  { site, from, to }: Counted,
  { where = [], order, limit }: Aggregation,
  selected: Column[],
  dimensions: Column[],
): RawBuilder<Record<string, unknown>> {
  const place = new Map(dimensions.map((column, index) => [keyOf(column), sql.ref(`x.d${index}`)]));
  const outer = (column: Column) => place.get(keyOf(column)) ?? expressionOf(column).sql;
  const filters = where.map((filter) => ({ filter, ...expressionOf(filter as Column) }));
  const of = (isMeasure: boolean) => filters.filter((one) => Boolean(one.isMeasure) === isMeasure);
  const needed = dimensions.map(expressionOf).filter(({ isRequired }) => isRequired);
  const withProperties = [...dimensions, ...where].some(({ column }) => column === "visitorClaimProperty");
  const read = sql.join([
    ...["type", "session", "visitor", "details"].map((name) => sql.ref(`e.${name}`)),
    ...dimensions.map((column, index) => sql`${expressionOf(column).sql} as ${sql.ref(`d${index}`)}`),
  ]);
  const events = all([
    sql`e.site = ${site} and e.occurred_at >= ${from.toISOString()} and e.occurred_at < ${to.toISOString()}`,
    ...needed.map((expression) => sql`${expression.sql} is not null`),
    ...of(false).map(conditionOf),
  ]);
  const groups = sql.join(dimensions.map(outer));
  const counted = of(true).map(conditionOf);
  const direction = order?.direction === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
  const sorted = [...(order ? [sql`${outer(order.by)} ${direction}`] : []), ...dimensions.map(outer)];
  return sql`select ${sql.join(selected.map((column, index) => sql`${outer(column)} as ${sql.ref(`v${index}`)}`))}
    from (select ${read} from insights_event e
      ${withProperties ? sql`cross join lateral jsonb_object_keys(e.claims) as property (name)` : sql``}
      where ${events}) x
    ${dimensions.length > 0 ? sql`group by ${groups}` : sql``}
    ${counted.length > 0 ? sql`having ${all(counted)}` : sql``}
    ${sorted.length > 0 ? sql`order by ${sql.join(sorted)}` : sql``}
    limit ${limit}`;
}

const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

const COMPARED: Record<string, RawBuilder<unknown>> = {
  greaterThan: sql`>`,
  greaterThanOrEqual: sql`>=`,
  lessThan: sql`<`,
  lessThanOrEqual: sql`<=`,
};

function conditionOf({ filter, sql: of, type }: Expression & { filter: Filter }): RawBuilder<unknown> {
  const values = (filter.values as unknown[]).map((value) => storedAs(filter.column, type, value));
  const comparison = COMPARED[filter.operator];
  const as = sql.raw(type);
  if (comparison) return sql`${of} ${comparison} ${values[0]}::${as}`;
  const known = values.filter((value) => value !== null);
  const isNone = values.length > known.length ? sql`${of} is null` : sql`false`;
  const found = sql`(coalesce(${of} = any(${known}::${as}[]), false) or ${isNone})`;
  return filter.operator === "in" ? found : sql`not ${found}`;
}

/** A value as the column has it; null is none. */
function storedAs(column: string, type: Expression["type"], value: unknown): unknown {
  if (value === null || (column === "visitorBot" && value === "")) return null;
  if (column === "siteShareKey") return keyDigest(String(value));
  return type === "jsonb" ? JSON.stringify(value) : value;
}

async function run({ db }: Ctx, statement: RawBuilder<Record<string, unknown>>) {
  try {
    return await db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(LONGEST_MS)}`.execute(db);
      return (await statement.execute(db)).rows;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "57014") throw error;
    return refuse("GATEWAY_TIMEOUT", "Events: counting took too long; ask for a shorter range");
  }
}
