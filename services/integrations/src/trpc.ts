import type { BaseContext, RuleCall } from "@octavo/shared/context";
import type { Egress } from "@octavo/shared/egress/client";
import type { Organization } from "@octavo/shared/schemas/organization";
import type { Vault } from "@octavo/shared/secrets";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { Database } from "./database.js";

/** What the rules of integrations reach besides the database. */
export interface Resources {
  egress: Egress;
  vault: Vault;
  /** The base of the interface without `/v1`, as scripts are told it. */
  apiEndpoint: string;
  /** Asks orgs for organizations, in the name of the caller. */
  lookUpOrganizations: (
    ctx: Pick<BaseContext<Database>, "identity" | "requestId">,
    ids: string[],
  ) => Promise<Organization[]>;
}

export type Ctx = BaseContext<Database> & Resources;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, service } = createApi<Ctx>();
