import type { Generated } from "kysely";
import type { Json, OptionalJson, Timestamp } from "./columns.js";

export type TranslationStatus = "pending" | "running" | "completed";
export type TranslationErrorCode =
  | "NO_PROVIDER"
  | "PROVIDER_ERROR"
  | "SOURCE_NOT_FOUND"
  | "TOO_LARGE"
  | "FAILED";

export interface TranslationTable {
  id: string;
  organization: string;
  /** The space that is translated, and its language. */
  space: string;
  source_language: string;
  language: string;
  /** A rich document. */
  instructions: Json<Record<string, unknown>>;
  status: Generated<TranslationStatus>;
  /** The space with the translation; null before the first run. */
  result_space: string | null;
  result_revision: string | null;
  /** The revision of the source that was translated last. */
  source_revision: string | null;
  error: OptionalJson<{ code: TranslationErrorCode; message: string }>;
  runs: Generated<number>;
  total_words: Generated<number>;
  total_pages: Generated<number>;
  total_duration: Generated<number>;
  latest_words: Generated<number>;
  latest_pages: Generated<number>;
  latest_duration: Generated<number>;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A segment that was translated, so that it is not sent again. */
export interface TranslatedSegmentTable {
  translation: string;
  /** SHA-256, in base64url, of the segment and of all else that its translation depends on. */
  hash: string;
  text: string;
  /** The run that used it last: what a run does not use goes with its end. */
  run: number;
}

export interface GlossaryEntryTable {
  id: string;
  organization: string;
  /** A term by language. */
  translations: Json<Record<string, string>>;
  created_at: Timestamp;
  updated_at: Timestamp;
}
