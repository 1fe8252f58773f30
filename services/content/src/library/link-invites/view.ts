import type { Space } from "@octavo/shared/contracts/schemas/space";
import type { KeptLink } from "../../orgs/orgs.js";
import type { Ctx } from "../../trpc.js";
import type { Collection } from "../collections/schema.js";
import type { Link } from "./schema.js";

/** What a link leads to besides the organization. */
export type Content = { space: Space } | { collection: Collection };

/** A link into an organization; with content, to that content. */
export const view =
  ({ urls }: Ctx, organization: string, content?: Content) =>
  ({ id, role, redundant }: KeptLink): Link => {
    const link = {
      object: "invite" as const,
      id,
      redundant,
      urls: {
        location: urls.api`/orgs/${organization}/link-invites/${id}`,
        accept: urls.api`/orgs/${organization}/invites/${id}`,
      },
    };
    return content ? { ...link, level: role, ...content } : { ...link, role };
  };
