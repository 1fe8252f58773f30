import type { Ctx } from "../trpc.js";
import type { Row } from "./queries.js";
import type { Link } from "./schema.js";

/** A link; `domains` are those whose people may join as guests without one. */
export const view =
  ({ urls }: Ctx, domains: string[]) =>
  (row: Row): Link => {
    const { id, organization, role, target } = row;
    const link = {
      object: "invite" as const,
      id,
      redundant: role === null && (target !== null || domains.length > 0),
      urls: {
        location: urls.api`/orgs/${organization}/link-invites/${id}`,
        accept: urls.api`/orgs/${organization}/invites/${id}`,
      },
    };
    if (target === null) return { ...link, role };
    const place = { id: target, organization };
    return row.target_type === "space"
      ? {
          ...link,
          level: role,
          space: {
            object: "space",
            ...place,
            urls: { location: urls.api`/spaces/${target}`, app: urls.app`/s/${target}` },
          },
        }
      : {
          ...link,
          level: role,
          collection: {
            object: "collection",
            ...place,
            urls: { location: urls.api`/collections/${target}`, app: urls.app`/c/${target}` },
          },
        };
  };
