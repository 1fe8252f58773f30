import type { User } from "@octavo/shared/contracts/fields";
import type { Urls } from "@octavo/shared/urls";

interface Person {
  id: string;
  display_name: string | null;
  email: string | null;
  photo_url: string | null;
}

/** A person as a `User`; one that the replica does not know (any more) keeps the id. */
export const personView = (urls: Urls, { id, display_name, email, photo_url }: Person): User => ({
  object: "user",
  id,
  displayName: display_name ?? "Unknown",
  email: email ?? undefined,
  photoURL: photo_url ?? undefined,
  urls: { location: urls.api`/users/${id}` },
});
