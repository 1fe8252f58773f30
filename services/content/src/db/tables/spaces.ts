import type { Role } from "@octavo/shared/contracts/roles";
import type { ColumnType, Generated } from "kysely";
import type { OptionalJson, OptionalTimestamp, Timestamp } from "./columns.js";

export type DefaultLevel = Role | "inherit" | null;

export type Visibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";

export interface CollectionTable {
  id: string;
  organization: string;
  title: Generated<string>;
  description: string | null;
  parent: string | null;
  ancestors: Generated<string[]>;
  default_level: ColumnType<DefaultLevel, DefaultLevel | undefined, DefaultLevel>;
  position: string;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What git knows of a space, as `git/info` and `Space.gitSync` show it. */
export interface GitInfo {
  repoName?: string;
  installationProvider?: "github" | "gitlab" | "github-legacy";
  integration?: string;
  url?: string;
  updatedAt?: string;
  /** The commit that the primary content came from; not shown. */
  commit?: string;
  /** The project directory that it was read from; not shown. */
  directory?: string;
  /**
   * Where the host shows files of the repository, and the folder of the content in it: links to files that are none of the
   * space's lead there. Set by imports alone, whose revision has all who kept a page ask again.
   */
  tree?: { url: string; folder: string };
  /** When the event happened that the last import was asked for by; not shown. */
  timestamp?: string;
}

export interface SpaceTable {
  id: string;
  organization: string;
  title: Generated<string>;
  emoji: Generated<string>;
  icon: string | null;
  visibility: ColumnType<Visibility, Visibility | undefined, Visibility>;
  edit_mode: ColumnType<"live" | "locked", "live" | "locked" | undefined, "live" | "locked">;
  parent: string | null;
  default_level: ColumnType<DefaultLevel, DefaultLevel | undefined, DefaultLevel>;
  position: string;
  language: string | null;
  git: OptionalJson<GitInfo>;
  /** The current revision of the primary branch. */
  revision: string;
  /** The open ones. */
  comments: Generated<number>;
  /** Kept by the database itself. */
  comments_resolved: Generated<number>;
  change_requests: Generated<number>;
  change_requests_open: Generated<number>;
  change_requests_draft: Generated<number>;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: OptionalTimestamp;
  purging_at: OptionalTimestamp;
}

export interface ContentGrantTable {
  target: string;
  subject: string;
  subject_kind: "user" | "team";
  organization: string;
  role: Role;
  created_at: Timestamp;
  joined_at: string | null;
}

/** The last membership of somebody, or the team, that ended. */
export interface DepartureTable {
  organization: string;
  subject: string;
  joined_at: string;
  /** When its event arrived; set by the database. */
  departed_at: Generated<string>;
}

export interface AudienceTable {
  site: string;
  space: string;
  visibility: Visibility;
  url: string | null;
  /** How the site authenticates its visitors, if it does and has reported how. */
  backend: string | null;
  /** How often the audience of the site had been narrowed; null, which is never, from sites that do not report it. */
  epoch: number | null;
  /** Whether the site shows it to those alone who meet a condition. */
  conditional: boolean | null;
  /** What a visitor has to meet to be shown it; null from sites that do not report it. */
  conditions: string[] | null;
  /** The revision that the site shows while a release of it is pinned; null while it follows the primary content. */
  revision: string | null;
}

/** A key of a share link that opens a site now. */
export interface ShareKeyTable {
  site: string;
  hash: string;
  /** The address that the key stands behind. */
  root: string;
}

export interface PersonTable {
  id: string;
  display_name: string;
  email: string | null;
  photo_url: string | null;
}
