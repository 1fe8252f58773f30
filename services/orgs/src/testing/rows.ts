import { randomBytes } from "node:crypto";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { newId } from "@octavo/shared/ids";
import type { Insertable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

/** Rows with everything filled in that a test does not care about; each returns the new id. */
export function buildersOn(db: Ctx["db"]) {
  async function person(over: Partial<Insertable<Database["person"]>> = {}) {
    const id = newId();
    const row = { id, display_name: `Person ${id}`, email: `${id.toLowerCase()}@example.com`, ...over };
    const search_text = `${row.display_name}\n${row.email ?? ""}`.toLowerCase();
    await db
      .insertInto("person")
      .values({ ...row, search_text })
      .execute();
    return id;
  }

  async function organization(over: Partial<Insertable<Database["organization"]>> = {}) {
    const id = newId();
    await db
      .insertInto("organization")
      .values({ id, title: "Acme", ...over })
      .execute();
    return id;
  }

  async function member(over: Partial<Insertable<Database["member"]>> & { organization: string }) {
    const row = { role: "read" as const, ...over, person: over.person ?? (await person()) };
    await db.insertInto("member").values(row).execute();
    return row.person;
  }

  /** A team with these people in it, who are members already. */
  async function team(
    organization: string,
    people: Record<string, "owner" | "member"> = {},
    title = "Writers",
  ) {
    const id = newId();
    const search_text = title.toLowerCase();
    await db.insertInto("team").values({ id, organization, title, search_text }).execute();
    for (const [person, role] of Object.entries(people)) {
      await db.insertInto("team_member").values({ team: id, organization, person, role }).execute();
    }
    return id;
  }

  /** Takes domains that organizations name for verified. */
  async function verifiedDomains(organization: string, ...domains: string[]) {
    const verified_at = new Date().toISOString();
    await db
      .insertInto("email_domain")
      .values(domains.map((domain) => ({ organization, domain, verified_at })))
      .execute();
  }

  /** The token of a caller, which nobody could present. */
  async function token({ id: person, token: id, scopes }: UserCaller) {
    const values = { id, person, hash: randomBytes(32), label: "In use", scopes };
    await db.insertInto("token").values(values).execute();
  }

  /** The role of somebody in an organization: null is a guest, undefined who is not in it. */
  async function roleOf(organization: string, person: string) {
    const own = db.selectFrom("member").select("role").where("organization", "=", organization);
    return (await own.where("person", "=", person).executeTakeFirst())?.role;
  }

  return { person, organization, member, team, verifiedDomains, token, roleOf };
}
