import { sql } from "kysely";
import type { Part } from "../../revisions/scope.js";

/** The text that a document's id stands for, when the space has it. */
export const textByHash: Part<{ markdown: string | null }, { hash: string }> = (version, arg) => ({
  columns: sql`(select markdown from body where body.space = ${version.space} and body.hash = ${arg("hash")})
    as markdown`,
});
