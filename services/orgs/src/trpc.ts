import type { BaseContext, RuleCall } from "@octavo/shared/context";
import type { TxtLookup } from "@octavo/shared/dns/lookup";
import type { Vault } from "@octavo/shared/secrets";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { Database } from "./db/database.js";
import type { Mailer } from "./network/mailer.js";
import { PERMISSIONS } from "./permissions.js";

/** What the rules of orgs reach besides the database. */
interface Dependencies {
  vault: Vault;
  lookupTxt: TxtLookup;
  /** Absent where the operator set up no mail. */
  mailer?: Mailer;
}

export type Ctx = BaseContext<Database> & Dependencies;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, service } = createApi<
  Ctx,
  typeof PERMISSIONS
>(PERMISSIONS);
