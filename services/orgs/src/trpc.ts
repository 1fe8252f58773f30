import type { BaseContext, RuleCall } from "@octavo/shared/context";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { Database } from "./database.js";

export type Ctx = BaseContext<Database>;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, service } = createApi<Ctx>();
