import type { ServiceName } from "@octavo/shared/contracts/callers";
import type { AuditDetails } from "@octavo/shared/contracts/events/audit";
import type { Role } from "@octavo/shared/contracts/roles";
import type { CommunityType, OrganizationType, UseCase } from "@octavo/shared/contracts/schemas/organization";
import type { SharedTables } from "@octavo/shared/database/shared-tables";
import type { ColumnType } from "kysely";

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Optional<T> = Defaulted<T | null>;
/** Read as an ISO string in UTC with milliseconds. */
type Timestamp = Defaulted<string>;

interface PersonTable {
  id: string;
  display_name: string;
  email: Optional<string>;
  photo_url: Optional<string>;
  /** Whether somebody confirmed that the address is this person's. */
  email_verified: Defaulted<boolean>;
  /** Whose service account it is; `null` for people. */
  organization: Optional<string>;
  search_text: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface TokenTable {
  id: string;
  person: string;
  /** The only one that the token reaches; `null` for all of the person's. */
  organization: Optional<string>;
  hash: Buffer;
  label: string;
  scopes: Optional<string[]>;
  created_at: Timestamp;
  last_used_at: Optional<string>;
  expires_at: Optional<string>;
  /** The identity provider that a sign-in went through; such a token reaches its organization alone. */
  saml_provider: Optional<string>;
  /** The pending invite that it waits with; until then such a token reaches its organization alone. */
  invite: Optional<string>;
  /** The administrator who made it for somebody else, or whose such token it was made with; it ends with their right. */
  made_by: Optional<string>;
  /** The token that it was made with, and ends with. */
  made_with: Optional<string>;
}

/** The code that was sent last to prove a person's address. */
interface EmailVerificationTable {
  person: string;
  email: string;
  /** `null` once it was used. */
  hash: Buffer | null;
  tries: Defaulted<number>;
  expires_at: string;
  /** So many codes were sent since. */
  sent: Defaulted<number>;
  since: string;
}

interface OrganizationTable {
  id: string;
  title: string;
  type: Defaulted<OrganizationType>;
  use_case: Optional<UseCase>;
  community_type: Optional<CommunityType>;
  hostname: Optional<string>;
  email_domains: Defaulted<string[]>;
  default_role: Optional<Role>;
  default_site: Optional<string>;
  logo_url: Optional<string>;
  sso: Defaulted<boolean>;
  ai: Defaulted<boolean>;
  invite_links: Defaulted<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** That an organization verified a domain; it counts for as long as the organization names the domain. */
interface EmailDomainTable {
  organization: string;
  domain: string;
  verified_at: string;
}

interface MemberTable {
  organization: string;
  person: string;
  /** `null` is a guest. */
  role: Optional<Role>;
  disabled: Defaulted<boolean>;
  sso: Defaulted<boolean>;
  /** Of these the member or team holds a grant, as of this count of theirs. */
  spaces: Defaulted<number>;
  spaces_version: Defaulted<number>;
  joined_at: Timestamp;
  last_seen_at: Optional<string>;
}

/** The last time that somebody else ended a person's membership or lowered their role. */
interface DepartureTable {
  organization: string;
  person: string;
  at: string;
  by: string;
}

interface TeamTable {
  id: string;
  organization: string;
  title: string;
  search_text: Defaulted<string>;
  /** Of these the member or team holds a grant, as of this count of theirs. */
  spaces: Defaulted<number>;
  spaces_version: Defaulted<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface TeamMemberTable {
  team: string;
  organization: string;
  person: string;
  role: Defaulted<"owner" | "member">;
  joined_at: Timestamp;
}

interface InviteTable {
  id: string;
  organization: string;
  /** `null` for a link. */
  email: Optional<string>;
  role: Optional<Role>;
  target_type: Optional<"space" | "collection">;
  target: Optional<string>;
  sso: Defaulted<boolean>;
  /** Hash of what was sent to the address, and nowhere else. */
  secret: Optional<Buffer>;
  invited_by: Optional<string>;
  created_at: Timestamp;
  expires_at: Optional<string>;
}

/** Append-only: the database refuses everything but `insert` and `select`. */
interface AuditEventTable {
  id: string;
  organization: string | null;
  service: ServiceName;
  action: string;
  actor_type: "user" | "service" | "integration";
  actor: string;
  actor_name: string;
  token: Optional<string>;
  ip: Optional<string>;
  request: string;
  target_type: string;
  target: string;
  occurred_at: string;
  recorded_at: Timestamp;
  details: ColumnType<AuditDetails | null, string | null | undefined, never>;
}

interface SamlProviderTable {
  id: string;
  organization: string;
  label: string;
  /** This and the next two are empty until an administrator says what they are. */
  entity_id: Defaulted<string>;
  sso_url: Defaulted<string>;
  certificate: Defaulted<string>;
  default_team: Optional<string>;
  /** `null` is a guest. */
  default_role: Optional<Role>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface SamlRequestTable {
  id: string;
  provider: string;
  relay_state: string;
  return_to: string;
  created_at: Timestamp;
  expires_at: string;
}

interface SamlAssertionTable {
  provider: string;
  hash: Buffer;
  expires_at: string;
}

interface SsoCodeTable {
  hash: Buffer;
  provider: string;
  person: string;
  expires_at: string;
}

/** A site, as sites reports it. */
interface SiteTable {
  id: string;
  organization: string;
  /** What the tokens of its visitors are signed with, sealed; `null` where it asks no visitor for one. */
  visitor_key: string | null;
}

export interface Database extends SharedTables {
  person: PersonTable;
  token: TokenTable;
  organization: OrganizationTable;
  member: MemberTable;
  departure: DepartureTable;
  team: TeamTable;
  team_member: TeamMemberTable;
  saml_provider: SamlProviderTable;
  saml_request: SamlRequestTable;
  saml_assertion: SamlAssertionTable;
  sso_code: SsoCodeTable;
  email_domain: EmailDomainTable;
  email_verification: EmailVerificationTable;
  invite: InviteTable;
  audit_event: AuditEventTable;
  site: SiteTable;
}
