import type { CompiledQuery, KyselyPlugin, QueryExecutor } from "kysely";
import type { Ctx } from "../trpc.js";

/** What the database of a context was asked, in order, and the largest query and result. */
export interface Watched {
  ctx: Ctx;
  asked: string[];
  most: {
    /** Characters of a question with all its values. */
    asked: number;
    /** Characters of a response. */
    returned: number;
    rows: number;
  };
}

/** A context like this one whose database is watched, also in transactions and for statements that were compiled before. */
export function watched(ctx: Ctx): Watched {
  const asked: string[] = [];
  const most = { asked: 0, returned: 0, rows: 0 };
  const note = ({ sql, parameters }: CompiledQuery) => {
    const question = `${sql} ${JSON.stringify(parameters)}`;
    asked.push(question);
    most.asked = Math.max(most.asked, question.length);
  };
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      most.returned = Math.max(most.returned, JSON.stringify(result.rows).length);
      most.rows = Math.max(most.rows, result.rows.length);
      return result;
    },
  };
  const db = ctx.db.withPlugin(watching);
  noteQueries(db.getExecutor(), note);
  return { ctx: { ...ctx, db }, asked, most };
}

/** Notes what an executor, and those of its transactions, send. */
function noteQueries(executor: QueryExecutor, note: (query: CompiledQuery) => void): QueryExecutor {
  const { provideConnection, withConnectionProvider } = executor;
  executor.provideConnection = (consumer) =>
    provideConnection.call(executor, (connection) => {
      const executeQuery = (query: CompiledQuery) => {
        note(query);
        return connection.executeQuery(query);
      };
      return consumer(Object.create(connection, { executeQuery: { value: executeQuery } }));
    }) as ReturnType<typeof consumer>;
  executor.withConnectionProvider = (provider) =>
    noteQueries(withConnectionProvider.call(executor, provider), note);
  return executor;
}
