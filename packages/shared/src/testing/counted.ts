import type { Kysely, KyselyPlugin } from "kysely";

/** The same database, and how many queries it was sent through it. */
export function counted<Database>(db: Kysely<Database>): { db: Kysely<Database>; queries: () => number } {
  let count = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count++;
      return result;
    },
  };
  return { db: db.withPlugin(counting), queries: () => count };
}
