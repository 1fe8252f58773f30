import type { User } from "@octavo/shared/contracts/fields";
import type { Urls } from "@octavo/shared/urls";

interface Person {
  id: string;
  display_name: string | null;
  email: string | null;
  photo_url: string | null;
}

/** A colon is in no id of a person and in no name of an integration. */
const PROGRAM = "integration:";

/** The id under which an integration is kept as an author. */
export const idOfIntegration = (name: string) => PROGRAM + name;

/** A person as a `User`; one that the replica does not know (any more) keeps the id. */
export const personView = (urls: Urls, { id, display_name, email, photo_url }: Person): User => ({
  object: "user",
  id,
  displayName: display_name ?? "Unknown",
  email: email ?? undefined,
  photoURL: photo_url ?? undefined,
  urls: {
    location: id.startsWith(PROGRAM)
      ? urls.api`/integrations/${id.slice(PROGRAM.length)}`
      : urls.api`/users/${id}`,
  },
});
