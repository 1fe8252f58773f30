import type { BaseContext, RuleCall } from "@octavo/shared/context";
import type { Egress } from "@octavo/shared/egress/client";
import type { Vault } from "@octavo/shared/secrets";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { Content } from "./content/content.js";
import type { Database } from "./db/database.js";
import type { Orgs } from "./orgs/orgs.js";
import { PERMISSIONS } from "./permissions.js";
import type { Runtime } from "./runtime/runtime.js";
import type { Sites } from "./sites/sites.js";

/** What the rules of integrations reach besides the database. */
export interface Dependencies {
  egress: Egress;
  vault: Vault;
  /** The base of the interface without `/v1`, as scripts receive it. */
  apiEndpoint: string;
  /** Which organizations there are, and how they show themselves to the caller. */
  orgs: Orgs;
  /** Spaces, and who may do what with them. */
  content: Content;
  sites: Sites;
  /** Runs the scripts of integrations. */
  runtime: Runtime;
  /** Days for which delivered events are kept. */
  eventDays: number;
}

export type Ctx = BaseContext<Database> & Dependencies;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, service } = createApi<
  Ctx,
  typeof PERMISSIONS
>(PERMISSIONS);
