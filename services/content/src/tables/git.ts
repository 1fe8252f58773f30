import type { ColumnType, Generated } from "kysely";
import type { OptionalTimestamp, Timestamp } from "./columns.js";

export interface GitOperationTable {
  id: string;
  space: string;
  direction: "import" | "export";
  state: ColumnType<
    "running" | "success" | "failure",
    "running" | undefined,
    "running" | "success" | "failure"
  >;
  stage: Generated<string>;
  /** The request, sealed: its address may hold credentials. */
  request: string;
  revision: string | null;
  error: string | null;
  dispatched_tasks: Generated<number>;
  completed_tasks: Generated<number>;
  created_by: string;
  started_at: Timestamp;
  updated_at: Timestamp;
  completed_at: OptionalTimestamp;
}
