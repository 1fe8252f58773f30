import type { Level } from "@octavo/shared/contracts/roles";
import { type Container, levelOn, memberOf } from "../../access/level.js";
import type { Membership } from "../../orgs/orgs.js";
import type { containers } from "./queries.js";

/** A thing or a collection around it, with everything that is granted on it, to whomever. */
export type Granting = Awaited<ReturnType<typeof containers>>[number];

/** What a member of the organization may do with the thing that these are the containers of. */
export const levelOfMember = (organization: string, containers: Granting[], member: Membership): Level =>
  levelOn(memberOf(organization, member), {
    organization,
    containers: containers.map((container) => concerning(member, container)),
  });

const concerning = ({ user, teams }: Membership, { grants, ...container }: Granting): Container => ({
  ...container,
  grants: grants.filter(({ kind, subject }) =>
    kind === "user" ? subject === user : teams.includes(subject),
  ),
});
