import type { ColumnType, Generated } from "kysely";
import type { BreakingChanges } from "../../openapi-documents/compare.js";
import type { OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";

export type ProcessingState = "pending" | "progress" | "complete";
export type ProcessErrorCode = "FETCH_TIMEOUT" | "FETCH_ERROR" | "PARSE_ERROR";
export type SpecVisibility = "private" | "public";

export interface OpenAPISpecTable {
  id: string;
  organization: string;
  slug: string;
  /** Where the document is fetched; null for one that was sent as a text. */
  source_url: string | null;
  source_text: string | null;
  visibility: ColumnType<SpecVisibility, SpecVisibility | undefined, SpecVisibility>;
  processing_state: ColumnType<ProcessingState, ProcessingState | undefined, ProcessingState>;
  /** Counts the times that the source was given: what a run makes of an earlier one is dropped. */
  source_number: Generated<number>;
  last_version: string | null;
  last_processed_at: OptionalTimestamp;
  error_code: ProcessErrorCode | null;
  errors: OptionalJson<{ message: string; code?: string }[]>;
  /** When the source is to be fetched again; null for a text. */
  check_at: OptionalTimestamp;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What was read from files that hold specifications. */
export interface FileSpecificationTable {
  /** Of the content of a file. */
  hash: string;
  /** JSON. */
  document: string;
}

export interface OpenAPISpecVersionTable {
  id: string;
  spec: string;
  /** SHA-256 of the document in base64url. */
  hash: string;
  /** One document of all its files, as JSON. */
  document: string;
  /** What clients of the version before cannot rely on; null for the first. */
  breaking: OptionalJson<BreakingChanges>;
  created_at: Timestamp;
}
