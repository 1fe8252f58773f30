import { type CompiledQuery, type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

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
  const statement = prepareStatement(build);
  // biome-ignore lint/suspicious/noExplicitAny: the query names its tables itself
  return async (db: Kysely<any>, values: Values): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(statement(values).compile(db));
    return rows;
  };
}

/** Builds and compiles a statement once that is sent by others, such as `post`, with other values each time. */
export function prepareStatement<Values extends object, Row>(
  build: (arg: Argument<Values>) => RawBuilder<Row>,
) {
  let compiled: CompiledQuery<Row> | undefined;
  return (values: Values) => ({
    compile(db: QueryExecutorProvider): CompiledQuery<Row> {
      compiled ??= build((name) => sql`${new StandIn(name)}`).compile(db);
      const parameters = compiled.parameters.map((value) =>
        value instanceof StandIn ? (values as Record<string, unknown>)[value.name] : value,
      );
      return { ...compiled, parameters };
    },
  });
}
