import { refuse, refuseAt } from "@octavo/shared/errors";
import type { StoredAds } from "../db/database.js";
import type { Row } from "../store/sites.js";
import type { SiteAds } from "./schema.js";

type Topic = "webdev" | "crypto";

interface Wanted {
  status?: "in-review" | "disabled";
  topic?: Topic;
}

/** Where the ads of a site stand, for whoever reads the site. */
export const adsOf = (site: Pick<Row, "ads" | "published" | "visibility">): SiteAds =>
  site.ads ?? { status: "pending", submittable: isShownToAll(site) };

/** Whether everybody can find a site: ads are for nobody else. */
export const isShownToAll = ({ published, visibility }: Pick<Row, "published" | "visibility">): boolean =>
  published && visibility === "public";

/**
 * Returns where ads stand after a request; null is as if nobody had asked. 400 for a review without a topic, 409 for a step
 * that does not lead on from where they stand, and for a review of a site that not everybody can find.
 */
export function nextAds(
  now: StoredAds | null,
  { status, topic }: Wanted,
  isShown: boolean,
): StoredAds | null {
  if (status === "in-review") return reviewed(now, topic, isShown);
  if (status === "disabled") return disabled(now, topic);
  if (topic === undefined) return now;
  if (now?.status !== "in-review" && now?.status !== "disabled") refuseStep(now, "have no topic to change");
  return { ...now, topic };
}

function reviewed(now: StoredAds | null, wanted: Topic | undefined, isShown: boolean): StoredAds {
  if (now?.status === "live") refuseStep(now, "are reviewed already");
  const topic = wanted ?? (now?.status === "rejected" ? undefined : now?.topic);
  if (topic === undefined) refuseAt("body.topic", "is missing, for the ads of the site have none");
  if (!isShown) refuse("CONFLICT", "Ads: only a published site of the visibility `public` can ask for them");
  return { status: "in-review", topic };
}

/** What nobody has reviewed yet has no zone, and is as it was before. */
function disabled(now: StoredAds | null, wanted: Topic | undefined): StoredAds | null {
  if (now?.status === "in-review") return null;
  if (now?.status !== "live" && now?.status !== "disabled") refuseStep(now, "are not there to be disabled");
  return { ...now, status: "disabled", topic: wanted ?? now.topic };
}

function refuseStep(now: StoredAds | null, why: string): never {
  refuse("CONFLICT", `Ads: are ${now?.status ?? "pending"}, and ${why}`);
}
