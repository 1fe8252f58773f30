import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { pathOf } from "./find.js";
import { LONGEST_COMMENT, RATINGS, type Rating } from "./limits.js";
import { encodedPath } from "./links.js";
import type { Place } from "./places.js";
import type { Entry, Space } from "./space.js";

/** Characters of an address that insights store. */
const LONGEST_URL = 2_048;

export interface Feedback {
  rating: Rating;
  comment?: string;
}

/** What a form or a tool says of a page; undefined when it says nothing that counts. */
export function feedbackIn(rating: unknown, comment: unknown): Feedback | undefined {
  const found = RATINGS.find((one) => one === rating);
  if (!found) return undefined;
  const text = typeof comment === "string" ? printable(comment).trim() : "";
  return { rating: found, ...(text !== "" && { comment: text }) };
}

/** The beginning of a text that can be stored. It is cut first: that may leave half of an emoji. */
const printable = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .slice(0, LONGEST_COMMENT)
    .replace(/[\p{Cs}\0]/gu, "");

interface FeedbackRequest {
  req: IncomingMessage;
  place: Place;
  space: Space;
}

/** Records what a visitor thinks of a page. Nothing tells one visitor from another: nobody is followed by cookies. */
export async function recordFeedback(
  { req, place, space }: FeedbackRequest,
  page: Entry,
  given: Feedback,
): Promise<void> {
  const {
    visitor,
    organization: organizationId,
    site: siteId,
    siteSection,
    siteSpace,
    shareKey,
    revision,
  } = place;
  const { rating, comment } = given;
  const visit = randomUUID();
  const event = {
    session: {
      visitorId: visit,
      sessionId: visit,
      cookies: {},
      userAgent: String(req.headers["user-agent"] ?? "").slice(0, 1024),
      language: languageOf(req),
      referrer: null,
    },
    location: {
      url: recordedUrl(place, encodedPath(pathOf(space, page))),
      siteSection: siteSection ?? null,
      siteSpace,
      // Sites leaves it out of the address that is stored.
      siteShareKey: shareKey ?? null,
      space: place.space,
      revision,
      page: page.id,
    },
  };
  const events =
    comment === undefined
      ? [{ ...event, type: "page_post_feedback" as const, feedback: { rating } }]
      : [{ ...event, type: "page_post_feedback_comment" as const, feedback: { rating, comment } }];
  await visitor.sites.insights.trackEvents.mutate({ organizationId, siteId, events });
}

/** The address of a page as insights store it; that of its space where it is too long. The page is named besides. */
export function recordedUrl({ canonical }: Pick<Place, "canonical">, path: string): string {
  const url = canonical + path;
  return url.length > LONGEST_URL ? canonical : url;
}

/** The first language of a reader, of 57 characters at most. */
export const languageOf = ({ headers }: Pick<IncomingMessage, "headers">): string | null =>
  /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,6}/i.exec(headers["accept-language"] ?? "")?.[0] ?? null;
