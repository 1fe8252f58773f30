import type { ColumnType, Generated } from "kysely";
import type { OptionalJson, Timestamp } from "./columns.js";

export type ChangeRequestStatus = "draft" | "open" | "archived" | "merged";

export interface ChangeRequestTable {
  id: string;
  space: string;
  /** The one that the space belongs to. */
  organization: string;
  number: number;
  status: ColumnType<ChangeRequestStatus, ChangeRequestStatus | undefined, ChangeRequestStatus>;
  subject: Generated<string>;
  revision_initial: string;
  revision_merged_ancestor: string | null;
  revision_merged: string | null;
  /** The revisions that were last found in conflict, by their numbers; null when there are none. */
  conflict_primary: number | null;
  conflict_own: number | null;
  /** The open ones. */
  comments: Generated<number>;
  /** Kept by the database itself. */
  comments_resolved: Generated<number>;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What an entry of a change request is merged from, where that is no longer the entry at the branch's base. */
export interface MergeBaseTable {
  change_request: string;
  id: string;
  entry: OptionalJson<object>;
}

export interface ContributorTable {
  change_request: string;
  person: string;
  action: "edit" | "comment";
  count: Generated<number>;
  updated_at: Timestamp;
}

export type ReviewStatus = "approved" | "changes-requested";

export interface ReviewTable {
  id: string;
  change_request: string;
  /** The head of the change request when it was reviewed. */
  revision: string;
  reviewer: string;
  status: ReviewStatus;
  outdated: Generated<boolean>;
  requested_by: string | null;
  /** The users and teams whose review request it fulfilled. */
  answered: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface RequestedReviewerTable {
  change_request: string;
  subject: string;
  subject_kind: "user" | "team";
  revision: string;
  requested_by: string;
  created_at: Timestamp;
  joined_at: string | null;
}
