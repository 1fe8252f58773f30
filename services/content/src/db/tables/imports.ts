import type { ColumnType, Generated } from "kysely";
import type { OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";

type State = "pending" | "in-progress" | "completed" | "failed";

/** An import of what lies at an address. */
export interface ContentImportTable {
  id: string;
  space: string;
  change_request: string | null;
  /** The page that the pages go under. */
  page: string | null;
  source: string;
  host: string;
  state: ColumnType<State, State | undefined, State>;
  /** The address, and who asked, sealed; empty once it has ended. */
  request: string;
  created_by: string;
  revision: string | null;
  imported: Generated<number>;
  total: Generated<number>;
  skipped: OptionalJson<{ reason: string; count: number; paths: string[] }[]>;
  error: OptionalJson<{ code: string; message: string; reason?: string }>;
  created_at: Timestamp;
  updated_at: Timestamp;
  completed_at: OptionalTimestamp;
}
