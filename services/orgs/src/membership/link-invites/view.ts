import type { Row } from "./queries.js";
import type { Link } from "./schema.js";

/** A link; `domains` are those whose people may join as guests without one. */
export const view =
  (domains: string[]) =>
  ({ id, role, target, target_type: type }: Row): Link => ({
    id,
    role,
    target: target === null || type === null ? undefined : { type, id: target },
    redundant: role === null && (target !== null || domains.length > 0),
  });
