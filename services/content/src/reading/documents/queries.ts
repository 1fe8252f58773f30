import { sql } from "kysely";
import type { Projection } from "../../revisions/read-space.js";

/** The text that a document's id stands for, when the space has it. */
export const textByHash: Projection<{ markdown: string | null }, { hash: string }> = (version, arg) => ({
  columns: sql`(select markdown from body where body.space = ${version.space} and body.hash = ${arg("hash")})
    as markdown`,
});
