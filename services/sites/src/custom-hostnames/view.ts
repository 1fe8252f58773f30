import { ownershipRecord } from "@octavo/shared/dns/challenge";
import type { Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { CustomHostname } from "./schema.js";

/** A site, of which the hostname is shown. */
export type Named = Row & { hostname: string };

export const view = ({ urls }: Ctx, row: Named): CustomHostname => ({
  object: "custom-hostname",
  hostname: row.hostname,
  target: { type: "site", site: row.id },
  isActive: row.published && row.hostname_verified_at !== null,
  status: row.hostname_status ?? undefined,
  record: ownershipRecord(row.hostname, row.id),
  urls: { location: urls.api`/custom-hostnames/${row.hostname}` },
});
