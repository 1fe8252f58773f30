import { found, refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { administers, loadVisible, organizationsFor } from "../integrations/access.js";
import { roleFor } from "../permissions.js";
import * as queries from "../store/events.js";
import type { Call, Ctx } from "../trpc.js";
import type { List, One } from "./schema.js";
import { view } from "./view.js";

// An event is something an integration was notified of, and how that went. It is shown when its delivery has ended: to who
// administers the integration, and to the creators of the organization whose installation it is about.

/**
 * Lists the delivered events of an integration, the newest first, of the organizations whose events the caller may see;
 * 403 when there are none, 404 for an integration out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { id, name, organizations } = await loadReadable(ctx, input.integrationName);
  return paginate({
    query: queries.delivered(ctx, id, organizations),
    by: [{ column: "created_at", direction: "desc" }],
    input,
    view: (rows) => rows.map((row) => view(name, row)),
  });
}

/**
 * Returns a delivered event; 403 for who may see no events, 404 when there is none. The trace is the integration's own:
 * whoever only installed it, or works for one installation, does not see what it logged.
 */
export async function get({ ctx, input: { integrationName, eventId } }: Call<typeof One>) {
  const integration = await loadReadable(ctx, integrationName);
  const row = found(await queries.find(ctx, integration.id, integration.organizations, eventId), "Event");
  const event = view(integration.name, row);
  const own = ctx.caller.kind === "integration" && ctx.caller.installation === undefined;
  return own || administers(ctx, integration) ? { event, trace: { logs: row.logs ?? [] } } : { event };
}

async function loadReadable(ctx: Ctx, integrationName: string) {
  const { id, name, organization, visibility } = await loadVisible(ctx, integrationName);
  const organizations = organizationsFor(ctx, { organization, visibility }, "event.view");
  if (organizations?.length === 0) refuse("FORBIDDEN", `Event: needs the role ${roleFor("event.view")}`);
  return { id, name, organization, organizations };
}
