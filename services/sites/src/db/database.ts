import type { SharedTables } from "@octavo/shared/database/shared-tables";
import type { ColumnType, Generated } from "kysely";
import type { SiteAdaptiveJSONSchema } from "../claims/schema.js";

type Timestamp = ColumnType<string, string | undefined, string>;
type Json<T> = ColumnType<T, string, string>;

export type SiteType = "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium";
export type SiteVisibility = "public" | "unlisted" | "share-link" | "visitor-auth";

/** What was found in the DNS when a hostname was looked for: its record, another value, or none. */
export type HostnameStatus = "dns_passed" | "dns_wrong_cname" | "dns_no_cname";

/** Where the ads of a site stand. */
export type StoredAds =
  | { status: "in-review"; topic: "webdev" | "crypto" }
  | { status: "rejected"; reason?: string }
  | { status: "live" | "disabled"; topic: "webdev" | "crypto"; zoneId: string };

interface SiteTable {
  id: string;
  organization: string;
  type: ColumnType<SiteType, SiteType | undefined, SiteType>;
  title: string;
  visibility: ColumnType<SiteVisibility, SiteVisibility | undefined, SiteVisibility>;
  published: Generated<boolean>;
  /** Its name in published addresses; the id when absent. */
  basename: string | null;
  /** The host that it is shown under, in lower case; what the DNS last returned for it, and since when it is the site's. */
  hostname: ColumnType<string | null, string | null | undefined, string | null>;
  hostname_status: ColumnType<
    HostnameStatus | null,
    HostnameStatus | null | undefined,
    HostnameStatus | null
  >;
  hostname_verified_at: ColumnType<string | null, string | null | undefined, string | null>;
  /** Host and path of the foreign address that the site is shown under. */
  proxy: string | null;
  /** How often the audience was narrowed; a token of a renderer holds until the next time. */
  audience_epoch: Generated<number>;
  adaptive_content: Generated<boolean>;
  agents_context: ColumnType<
    "excluded" | "included",
    "excluded" | "included" | undefined,
    "excluded" | "included"
  >;
  /** The release that readers are shown; null while they are shown the primary content of its spaces. */
  release: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null before anybody asked for ads. */
  ads: ColumnType<StoredAds | null, string | null | undefined, string | null>;
  /** Goes up with every change that a renderer of the site must notice. */
  version: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A group of sections, which lies among the sections of its site or in another group. */
interface SectionGroupTable {
  id: string;
  site: string;
  organization: string;
  parent: ColumnType<string | null, string | null | undefined, string | null>;
  title: string;
  icon: ColumnType<string | null, string | null | undefined, string | null>;
  /** The place in the site, read from top to bottom: sections, groups and site spaces are numbered together. */
  position: number;
  created_at: Timestamp;
}

/** A section of a site, which shows one or more variants. */
interface SiteSectionTable {
  id: string;
  site: string;
  organization: string;
  section_group: ColumnType<string | null, string | null | undefined, string | null>;
  title: string;
  icon: ColumnType<string | null, string | null | undefined, string | null>;
  description: ColumnType<string | null, string | null | undefined, string | null>;
  path: string;
  /** Expression over claims of visitors: whoever does not meet it does not see the section. */
  condition: ColumnType<string | null, string | null | undefined, string | null>;
  /** Exactly one of those that show something. */
  is_default: Generated<boolean>;
  position: number;
  created_at: Timestamp;
}

/** A space as a variant of a site, or of one of its sections. */
interface SiteSpaceTable {
  id: string;
  site: string;
  organization: string;
  /** null on a site without sections. */
  section: ColumnType<string | null, string | null | undefined, string | null>;
  space: string;
  path: string;
  condition: ColumnType<string | null, string | null | undefined, string | null>;
  /** Exactly one of the section's variants that are not in the trash, or of the site's. */
  is_default: Generated<boolean>;
  position: number;
  /** Set while the space is in content's trash: the variant keeps its place and path, and is shown nowhere. */
  trashed_at: ColumnType<string | null, string | null | undefined, string | null>;
  /** Whether it overrides what the interface counts as advanced customization. */
  advanced_customization: Generated<boolean>;
  created_at: Timestamp;
}

/** A path below the root of a site that led to a section, or to one of its site spaces, before it moved. */
interface FormerPathTable {
  site: string;
  /** In lower case, without slashes at its ends. */
  path: string;
  section: string | null;
  site_space: string | null;
  created_at: Timestamp;
}

/**
 * How often content reported that a space was transferred, deleted or restored. Whoever asks content about a space and
 * then writes compares it, so that an event handled in between is not missed.
 */
interface SpaceChangeTable {
  space: string;
  changes: Generated<number>;
}

/** A space that was created for a site that is not there yet; left behind, it is discarded. */
interface UnfinishedSpaceTable {
  space: string;
  created_at: Timestamp;
}

/** What an installation puts into the pages of its organization's sites. */
interface InjectedScriptTable {
  installation: string;
  organization: string;
  integration: string;
  content_security_policy: string | null;
  cookies: boolean;
  everywhere: boolean;
}

/** A site on which an installation is by itself. */
interface InjectedScriptPlaceTable {
  site: string;
  installation: string;
  works: boolean;
}

/** An integration by which visitors of a site can sign in. */
interface VisitorIntegrationTable {
  site: string;
  installation: string;
  /** The name of the integration. */
  integration: string;
  address: string;
  /** Sealed. */
  private_key: string | null;
  created_at: Timestamp;
}

/** How a site finds out who its visitors are. */
interface PublishingAuthTable {
  site: string;
  backend: ColumnType<
    "custom" | "integration",
    "custom" | "integration" | undefined,
    "custom" | "integration"
  >;
  /** Where visitors without authentication are sent. */
  fallback_url: ColumnType<string | null, string | null | undefined, string | null>;
  /** What their tokens are signed with, sealed. */
  private_key: string;
  /** The installation by which they sign in, where the backend is an integration. */
  installation: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A secret address of a site. */
interface ShareLinkTable {
  id: string;
  site: string;
  name: string;
  /** One that is not opens nothing. */
  active: Generated<boolean>;
  /** What stands in the address, sealed. */
  key: string;
  /** By what it is found. */
  key_hash: string;
  created_at: Timestamp;
}

/** Which claims visitors of a site may make. */
interface AdaptiveSchemaTable {
  site: string;
  json_schema: ColumnType<SiteAdaptiveJSONSchema, string, string>;
  updated_at: Timestamp;
}

/** What somebody has set of a site's look; everything else has its default. */
interface SiteCustomizationTable {
  site: string;
  settings: Json<Record<string, unknown>>;
  updated_at: Timestamp;
}

/** What of a site space looks otherwise than its site. */
interface SiteSpaceCustomizationTable {
  site_space: string;
  site: string;
  overrides: Json<Record<string, unknown>>;
  updated_at: Timestamp;
}

/** Leads from a path of a site, or all below it, to somewhere else. */
interface SiteRedirectTable {
  id: string;
  site: string;
  /** As somebody wrote it; a pattern ends with `/*`. */
  source: string;
  /** By which it is found, and sorted. */
  source_key: string;
  kind: "site-section" | "site-space" | "site-page" | "path" | "url";
  /** Of content. */
  site_section: string | null;
  site_space: string | null;
  page: string | null;
  /** A path of the site, or an address. */
  address: string | null;
  created_at: Timestamp;
}

/** What a visitor of a site did. */
interface InsightsEventTable {
  id: string;
  site: string;
  type: string;
  occurred_at: string;
  visitor: string;
  session: string;
  /** Without query, and with `~` in the place of a share key. */
  url: string;
  site_section: string | null;
  site_space: string | null;
  /** A digest of the share key. */
  share_key: string | null;
  space: string | null;
  revision: string | null;
  page: string | null;
  language: string | null;
  device: string;
  browser: string;
  os: string;
  /** null for what is taken to be a person. */
  bot: string | null;
  referrer: string;
  referrer_domain: string;
  utm_source: string;
  utm_medium: string;
  utm_campaign: string;
  utm_term: string;
  utm_content: string;
  claims: Json<Record<string, unknown>>;
  /** What is of the event's type alone. */
  details: Json<Record<string, unknown>>;
}

/** What the assistant of a site may call besides the site. */
interface McpServerTable {
  id: string;
  site: string;
  organization: string;
  name: string;
  url: string;
  /** With what it is called, sealed. */
  headers: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A font of an organization, for the customization of its sites. */
interface FontTable {
  id: string;
  organization: string;
  family: string;
  faces: Json<{ weight: number; sources: { url: string; format?: "woff2" | "woff" | undefined }[] }[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The revisions that the spaces of a site had at one time, under a name. */
interface SiteReleaseTable {
  id: string;
  site: string;
  organization: string;
  title: string;
  /** The order in which releases of the site were pinned; null for one that never was, or was taken back. */
  shown: ColumnType<number | null, number | null | undefined, number | null>;
  created_by: string | null;
  created_at: Timestamp;
}

interface SiteReleaseSpaceTable {
  release: string;
  space: string;
  revision: string;
}

export interface Database extends SharedTables {
  site: SiteTable;
  section_group: SectionGroupTable;
  site_section: SiteSectionTable;
  site_space: SiteSpaceTable;
  former_path: FormerPathTable;
  space_change: SpaceChangeTable;
  unfinished_space: UnfinishedSpaceTable;
  publishing_auth: PublishingAuthTable;
  visitor_integration: VisitorIntegrationTable;
  injected_script: InjectedScriptTable;
  injected_script_place: InjectedScriptPlaceTable;
  share_link: ShareLinkTable;
  adaptive_schema: AdaptiveSchemaTable;
  site_customization: SiteCustomizationTable;
  site_space_customization: SiteSpaceCustomizationTable;
  site_redirect: SiteRedirectTable;
  site_release: SiteReleaseTable;
  site_release_space: SiteReleaseSpaceTable;
  insights_event: InsightsEventTable;
  mcp_server: McpServerTable;
  font: FontTable;
}
