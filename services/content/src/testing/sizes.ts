import type { KyselyPlugin } from "kysely";
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

/** A context like this one whose database is watched. */
export function watched(ctx: Ctx): Watched {
  const asked: string[] = [];
  const most = { asked: 0, returned: 0, rows: 0 };
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const question = JSON.stringify(node);
      asked.push(question);
      most.asked = Math.max(most.asked, question.length);
      return node;
    },
    transformResult: async ({ result }) => {
      most.returned = Math.max(most.returned, JSON.stringify(result.rows).length);
      most.rows = Math.max(most.rows, result.rows.length);
      return result;
    },
  };
  return { ctx: { ...ctx, db: ctx.db.withPlugin(watching) }, asked, most };
}
