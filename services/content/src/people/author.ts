import { userOf } from "@octavo/shared/access";
import type { Ctx } from "../trpc.js";
import { keepPerson, meetPeople } from "./queries.js";
import { idOfIntegration } from "./view.js";

/**
 * The id under which what the caller creates is kept: a person's, who is remembered, that of an integration, or the name
 * of a service; 403 for visitors of a site.
 */
export async function authorOf(ctx: Ctx): Promise<string> {
  const { caller } = ctx;
  if (caller.kind === "service") return caller.service;
  if (caller.kind === "integration") return keepIntegration(ctx, caller.integration);
  const { id } = userOf(ctx);
  await keepPerson(ctx);
  return id;
}

async function keepIntegration(ctx: Ctx, name: string): Promise<string> {
  const id = idOfIntegration(name);
  const urls = { location: ctx.urls.api`/integrations/${name}` };
  await meetPeople(ctx, [{ object: "user", id, displayName: name, urls }]);
  return id;
}
