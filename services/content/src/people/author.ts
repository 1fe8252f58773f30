import { userOf } from "@octavo/shared/access";
import type { Ctx } from "../trpc.js";
import { keepPerson } from "./queries.js";

/** The id under which what the caller creates is kept: a person's, who is remembered, or the name of a service. */
export async function authorOf(ctx: Ctx): Promise<string> {
  if (ctx.caller.kind === "service") return ctx.caller.service;
  const { id } = userOf(ctx);
  await keepPerson(ctx);
  return id;
}
