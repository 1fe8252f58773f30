import type { User } from "@octavo/shared/contracts/fields";
import type { Ctx } from "../../trpc.js";
import type { Row } from "./queries.js";

export const view =
  ({ urls }: Ctx) =>
  ({ id, display_name, email, photo_url }: Row): User => ({
    object: "user",
    id,
    displayName: display_name,
    email: email ?? undefined,
    photoURL: photo_url ?? undefined,
    urls: { location: urls.api`/users/${id}` },
  });
