import type { BaseContext } from "@octavo/shared/context";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import type { User } from "@octavo/shared/contracts/fields";
import type { Level, Role } from "@octavo/shared/contracts/roles";
import type { Member } from "@octavo/shared/contracts/schemas/member";
import type { Organization } from "@octavo/shared/contracts/schemas/organization";
import type { Team } from "@octavo/shared/contracts/schemas/team";
import type { Page } from "@octavo/shared/paginate";

/** A member as access is decided on: the role in the organization (null is a guest), and the teams there. */
export interface Membership {
  user: string;
  role: Role | null;
  teams: string[];
}

/** A membership and since when it lasts, which distinguishes it from an earlier one. */
export interface Joined extends Membership {
  joinedAt: string;
}

/** Those with one of the roles who are no exception, and besides them `users`. */
export interface Choice {
  roles: Exclude<Level, undefined>[];
  except: string[];
  users: string[];
  page?: string;
  limit: number;
}

/** Whose request a call belongs to, and until when its response is of use. */
export type Requester = Pick<BaseContext<unknown>, "identity" | "requestId" | "signal" | "ip">;

/** Content that an invite leads to. */
export interface LinkTarget {
  type: "space" | "collection";
  id: string;
}

/** A link as orgs keeps it; `role` is the level on the target, if it has one, else the role in the organization. */
export interface KeptLink {
  id: string;
  role: Role | null;
  target?: LinkTarget;
  redundant: boolean;
}

/** What content asks of orgs. What is shown to people is asked as them; what decides about them, for itself. */
export interface Orgs {
  /** The users with these ids (at most 1000), as the caller may see them. */
  users(asking: Requester, ids: string[]): Promise<User[]>;
  /** The organizations with these ids (at most 1000), as the caller may see them. */
  organizations(asking: Requester, ids: string[]): Promise<Organization[]>;
  /** The teams with these ids (at most 1000) that the caller may see. */
  teams(asking: Requester, ids: string[]): Promise<Team[]>;
  /** Those of the people who are members, and the members of the teams. */
  memberships(
    asking: Requester,
    organization: string,
    who: { users?: string[]; teams?: string[] },
  ): Promise<Joined[]>;
  /** The membership that a user's identity names, as it is now; undefined for who is no member any more. */
  membership(asking: Requester, organization: string, caller: UserCaller): Promise<Membership | undefined>;
  /** Those of the teams (at most 1000) that there are in the organization. */
  teamsIn(asking: Requester, organization: string, ids: string[]): Promise<string[]>;
  members(
    asking: Requester,
    organization: string,
    choice: Choice,
  ): Promise<Page<{ user: User; role: Role | null }>>;
  /** Those of the people (at most 100,000) who are members, as organizations show their members. */
  profiles(
    asking: Requester,
    organization: string,
    users: string[],
    paging: Pick<Choice, "page" | "limit">,
  ): Promise<Page<Member>>;
  /** The links into an organization, for a caller who administers it. */
  linkInvites: {
    /** Those to the target, or those to the organization itself; with `roles`, those that give one of them or none. */
    list(
      asking: Requester,
      organization: string,
      input: { target?: LinkTarget; roles?: Role[]; page?: string; limit: number },
    ): Promise<Page<KeptLink>>;
    get(asking: Requester, organization: string, id: string): Promise<KeptLink>;
    create(
      asking: Requester,
      organization: string,
      input: Pick<KeptLink, "role" | "target">,
    ): Promise<KeptLink>;
    update(
      asking: Requester,
      organization: string,
      input: { inviteId: string; role: Role | null },
    ): Promise<KeptLink>;
    remove(asking: Requester, organization: string, id: string): Promise<void>;
  };
  invites: {
    /** The content that an invite leads to; null for one to the organization, and for none at all. */
    target(asking: Requester, organization: string, id: string): Promise<LinkTarget | null>;
    /** Lets the caller in. */
    accept(asking: Requester, organization: string, id: string): Promise<void>;
  };
}
