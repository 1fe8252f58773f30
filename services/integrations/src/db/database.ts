import type { SharedTables } from "@octavo/shared/database/shared-tables";
import type { ColumnType, Generated } from "kysely";
import type { PlatformEvent, TraceLog } from "../schemas/event.js";
import type { InstallationStatus } from "../schemas/installation-status.js";
import type { Manifest } from "../schemas/manifest.js";
import type { WebhookType } from "../schemas/webhook-type.js";

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Timestamp = Defaulted<string>;
type Json<T> = ColumnType<T, string, string>;
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

export interface IntegrationTable {
  id: string;
  name: string;
  organization: string;
  version: Generated<number>;
  title: string;
  description: string;
  summary: string | null;
  visibility: Manifest["visibility"];
  target: Manifest["target"];
  verified: Generated<boolean>;
  scopes: Manifest["scopes"];
  categories: Manifest["categories"];
  blocks: OptionalJson<NonNullable<Manifest["blocks"]>>;
  block_domains: string[];
  content_sources: OptionalJson<NonNullable<Manifest["contentSources"]>>;
  configurations: OptionalJson<NonNullable<Manifest["configurations"]>>;
  external_links: Json<Manifest["externalLinks"]>;
  content_security_policy: OptionalJson<NonNullable<Manifest["contentSecurityPolicy"]>>;
  icon: string | null;
  preview_images: string[];
  secrets: string;
  signing_secret: string;
  tunnel_url: Defaulted<string | null>;
  tunnel_all: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Defaulted<string | null>;
}

interface ScriptTable {
  integration: string;
  runtime: "v1" | "v2";
  source: string;
}

interface AssetTable {
  integration: string;
  name: string;
  bytes: Buffer;
}

export interface InstallationTable {
  id: string;
  integration: string;
  organization: string;
  status: InstallationStatus;
  space_selection: Defaulted<"all" | "selected">;
  site_selection: Defaulted<"all" | "selected">;
  configuration: Json<Record<string, unknown>>;
  external_ids: Defaulted<string[]>;
  /** What the integration declared when somebody of the organization last installed or changed it. */
  accepted_scopes: Defaulted<string[] | null>;
  signing_secret: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Defaulted<string | null>;
}

export interface ContentInstallationTable {
  id: string;
  integration: string;
  installation: string;
  organization: string;
  kind: "space" | "site";
  /** The id of the space or site. */
  content: string;
  status: InstallationStatus;
  configuration: Json<Record<string, unknown>>;
  external_ids: Defaulted<string[]>;
  signing_secret: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Defaulted<string | null>;
}

export interface EventTable {
  id: string;
  integration: string;
  installation: string | null;
  organization: string | null;
  content_installation: Defaulted<string | null>;
  payload: Json<PlatformEvent>;
  status: Defaulted<"success" | "failed" | null>;
  logs: OptionalJson<TraceLog[]>;
  created_at: Timestamp;
  delivered_at: Defaulted<string | null>;
  publisher: Defaulted<string | null>;
  attempts: Defaulted<number>;
  not_before: Defaulted<string | null>;
}

interface TokenTable {
  hash: Buffer;
  integration: string;
  installation: string | null;
  created_at: Timestamp;
  expires_at: string;
}

export interface WebhookTable {
  id: string;
  organization: string;
  url: string;
  description: string;
  types: WebhookType[];
  status: "active" | "paused";
  paused_because: Defaulted<"failing" | "gone" | null>;
  paused_at: Defaulted<string | null>;
  secret: string;
  previous_secret: Defaulted<string | null>;
  previous_until: Defaulted<string | null>;
  failing_since: Defaulted<string | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** One request to the address of a webhook, and what came of it. */
export interface WebhookAttempt {
  at: string;
  /** What the address returned; absent without a response. */
  status?: number;
  /** The beginning of the response. */
  response?: string;
  /** Why there was no response. */
  error?: string;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook: string;
  message: string;
  type: string;
  body: string;
  status: "waiting" | "success" | "failed" | "held";
  attempts: ColumnType<WebhookAttempt[], string | undefined, string>;
  next_attempt_at: Defaulted<string | null>;
  created_at: Timestamp;
  ended_at: Defaulted<string | null>;
}

export interface Database extends SharedTables {
  integration: IntegrationTable;
  script: ScriptTable;
  asset: AssetTable;
  installation: InstallationTable;
  content_installation: ContentInstallationTable;
  event: EventTable;
  token: TokenTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}
