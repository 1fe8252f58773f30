import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

/** A place in a query that gets its value at each run. */
export type Argument<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

class StandIn {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled once and then runs with other values: for the few queries whose building would
 * cost as much as their running. `build` gets a stand-in for each value, and must not look at it.
 */
export function prepare<Values extends object, Row>(build: (arg: Argument<Values>) => RawBuilder<Row>) {
  let compiled: CompiledQuery<Row> | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the query names its tables itself
  return async (db: Kysely<any>, values: Values): Promise<Row[]> => {
    compiled ??= build((name) => sql`${new StandIn(name)}`).compile(db);
    const parameters = compiled.parameters.map((value) =>
      value instanceof StandIn ? (values as Record<string, unknown>)[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
