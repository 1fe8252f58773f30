import { SiteVisited } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import type { z } from "zod";
import type { Ctx } from "../trpc.js";
import type { SiteInsightsEvent } from "./event-schema.js";
import { addressOf } from "./rows.js";

type Visited = z.output<typeof SiteVisited.payload>;

/** Events of a batch that travel together: an event may take some six kilobytes. */
const TOGETHER = 100;

/**
 * Emits pages that were viewed and feedback, inside a transaction, so that integrations can be notified.
 * Cookies and claims stay here, and so do keys in addresses.
 */
export async function emitVisits(
  ctx: Ctx,
  { id, organization }: { id: string; organization: string },
  events: SiteInsightsEvent[],
): Promise<void> {
  const reported = events.filter(({ type }) => type === "page_view" || type.startsWith("page_post_feedback"));
  for (let at = 0; at < reported.length; at += TOGETHER) {
    const some = reported.slice(at, at + TOGETHER);
    const views = some.filter(({ type }) => type === "page_view").map(visitOf);
    const feedback = some.flatMap((event) =>
      "feedback" in event ? [{ ...visitOf(event), ...event.feedback }] : [],
    );
    await emit(ctx, SiteVisited, id, { site: id, organization, views, feedback });
  }
}

const visitOf = (event: SiteInsightsEvent): Visited["views"][number] => {
  const { session, location } = event;
  return {
    url: addressOf(location),
    referrer: session.referrer ?? "",
    page: location.page ?? undefined,
    siteSpace: location.siteSpace ?? undefined,
    space: location.space ?? undefined,
    visitor: {
      anonymousId: session.visitorId,
      userAgent: session.userAgent,
      ip: session.ip ?? "",
      language: session.language ?? undefined,
    },
  };
};
