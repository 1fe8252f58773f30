import type { ColumnType } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./columns.js";

/** A file that is uploaded for an organization, outside of any space. */
export interface StorageUploadTable {
  id: string;
  organization: string;
  kind: string;
  name: string;
  /** As announced, like its size in bytes. */
  content_type: string;
  size: number;
  /** The hash of what came in; null before. */
  content: ColumnType<string | null, string | undefined, string>;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** Since when something refers to it, which keeps it for good. */
  taken_at: OptionalTimestamp;
}
