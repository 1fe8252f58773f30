import type { Coalesce } from "@octavo/shared/coalesce";
import type { BaseContext, RuleCall } from "@octavo/shared/context";
import type { TxtLookup } from "@octavo/shared/dns/lookup";
import type { ReaderTokens } from "@octavo/shared/reader-tokens";
import type { Vault } from "@octavo/shared/secrets";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { Content } from "./content/content.js";
import type { Database } from "./db/database.js";
import { PERMISSIONS } from "./permissions.js";
import type { ProfileCache } from "./profiles.js";
import type { SpacesAt } from "./spaces-at.js";
import type { StructureCache } from "./tree/cache.js";

/** What the rules of sites reach besides the database. */
export interface Dependencies {
  content: Content;
  vault: Vault;
  /** Makes what renderers read published sites with. */
  readerTokens: ReaderTokens;
  lookupTxt: TxtLookup;
  structures: StructureCache;
  spacesAt: SpacesAt;
  profiles: ProfileCache;
  /** Combines reads of the same that come at once. */
  coalesce: Coalesce;
}

export type Ctx = BaseContext<Database> & Dependencies;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, shown, service } = createApi<
  Ctx,
  typeof PERMISSIONS
>(PERMISSIONS);
