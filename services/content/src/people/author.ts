import type { Ctx } from "../trpc.js";
import { keepPerson } from "./queries.js";

/** The id under which what the caller creates is kept: a person's, who is remembered, or the name of a service. */
export async function authorOf(ctx: Ctx): Promise<string> {
  if (ctx.caller.kind === "service") return ctx.caller.service;
  await keepPerson(ctx);
  return ctx.caller.id;
}
