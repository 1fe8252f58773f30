import type { Generated } from "kysely";
import type { Json, OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";

export interface BranchTable {
  id: string;
  space: string;
  /** Number of the branch's last revision; 0 while a change request has none of its own. */
  seq: number;
  revision: string;
  base_seq: number | null;
}

export type RevisionType = "edits" | "merge" | "update" | "rollback";

/** The commit that a revision came from or was exported as. */
export interface GitCommit {
  oid: string;
  message: string;
  createdByService: boolean;
  url?: string;
  ref?: string;
}

export interface RevisionTable {
  id: string;
  space: string;
  branch: string;
  seq: number;
  base_seq: number | null;
  type: RevisionType;
  parents: string[];
  merged_from: string | null;
  git: OptionalJson<GitCommit>;
  created_by: string | null;
  created_at: Timestamp;
}

export type EntryKind = "page" | "file" | "reusable" | "variable";

export interface EntryTable {
  branch: string;
  id: string;
  from_seq: number;
  to_seq: number | null;
  kind: EntryKind;
  removed: Generated<boolean>;
  parent: string | null;
  position: string;
  slug: string | null;
  title: string;
  body: string | null;
  git_path: string | null;
  git_oid: string | null;
  props: Json<Record<string, unknown>>;
  created_at: Timestamp;
  updated_at: OptionalTimestamp;
}

export interface BodyTable {
  space: string;
  hash: string;
  markdown: string;
  check_at: OptionalTimestamp;
}

export interface StoredFileTable {
  hash: string;
  received_at: Timestamp;
  check_at: OptionalTimestamp;
}
