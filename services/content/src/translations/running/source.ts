import * as spaces from "../../access/spaces.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "../store/translations.js";
import { RunError } from "./failure.js";

/** Returns the space that is translated; `SOURCE_NOT_FOUND` when it was deleted, or transferred away. */
export async function sourceOf(ctx: Ctx, { space, organization }: Row): Promise<spaces.Row> {
  const source = await spaces.find(ctx, space);
  if (source?.organization === organization) return source;
  throw new RunError("SOURCE_NOT_FOUND", "The space that is translated is no longer there");
}
