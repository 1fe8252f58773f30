import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { db, rows, as, emitted, end } = await startOrgs();
afterAll(end);

/** An organization with an administrator, and what they do in it. */
async function administered() {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const path = `/v1/orgs/${acme}`;
  const link = async (role: string | null, target?: object, maker = ada) => {
    const { body } = await maker.ask("linkInvites.create", { organizationId: acme, role, target });
    return `${path}/invites/${body.id}`;
  };
  const invite = async (email: string, role: string, maker = ada) =>
    (await maker.send("POST", `${path}/invites`, { emails: [email], role })).body;
  const remove = (person: string) => ada.send("DELETE", `${path}/members/${person}`);
  const lower = (person: string) => ada.send("PATCH", `${path}/members/${person}`, { role: "read" });
  return { acme, ada, path, link, invite, remove, lower };
}
const pathOf = (url: string) => new URL(url).pathname;
const tokensOf = (person: string) =>
  db.selectFrom("token").select("id").where("person", "=", person).execute();
const invitesTo = (organization: string) =>
  db.selectFrom("invite").selectAll().where("organization", "=", organization).execute();

test("an invite that is pending when its person comes in by a link ends then, with the tokens that wait with it", async () => {
  const { acme, ada, path, link, invite, remove } = await administered();
  const eve = await as();
  const email = `${eve.id.toLowerCase()}@example.com`;
  const { urls } = await invite(email, "admin");
  const [pending] = (await invitesTo(acme)).filter((row) => row.email === email);
  const waiting = {
    id: newId(),
    hash: Buffer.from(newId()),
    label: "Waits",
    created_at: new Date().toISOString(),
  };
  await db
    .insertInto("token")
    .values({ ...waiting, person: eve.id, invite: pending!.id })
    .execute();
  expect((await eve.accept(await link("read"))).status).toBe(200);
  expect((await invitesTo(acme)).filter((row) => row.email !== null)).toEqual([]);
  expect(await tokensOf(eve.id)).not.toContainEqual({ id: waiting.id });
  await remove(eve.id);
  expect((await eve.accept(pathOf(urls[email]))).status).toBe(404);
  const { body } = await ada.send("GET", `${path}/audit-events?action=invite.revoke`);
  expect(body.items).toMatchObject([{ details: { email } }]);
});

test("an invite that is still pending for a member ends when somebody removes the member", async () => {
  const { acme, invite, remove } = await administered();
  const eve = await as();
  const email = `${eve.id.toLowerCase()}@example.com`;
  const { urls } = await invite(email, "admin");
  await rows.member({ organization: acme, person: eve.id });
  await remove(eve.id);
  expect(await invitesTo(acme)).toEqual([]);
  expect((await eve.accept(pathOf(urls[email]))).status).toBe(404);
});

test("who comes in by a link with the token of a pending invite keeps that token, within the organization", async () => {
  const { acme, link, invite } = await administered();
  const { users, tokens } = await invite("new@example.com", "admin");
  const [person] = users;
  const [token] = await tokensOf(person);
  const caller = { id: person, organizations: {}, token: token!.id };
  const newcomer = await as({}, caller);
  expect((await newcomer.accept(await link("read"))).status).toBe(200);
  expect(tokens["new@example.com"]).toBeDefined();
  const kept = await db
    .selectFrom("token")
    .select(["organization", "invite"])
    .where("person", "=", person)
    .execute();
  expect(kept).toEqual([{ organization: acme, invite: null }]);
  expect((await invitesTo(acme)).filter((row) => row.email !== null)).toEqual([]);
});

test.each(["remove", "lower"] as const)(
  "the invites and links of an administrator end with their right: %s",
  async (how) => {
    const { acme, ada, link, invite, ...does } = await administered();
    const bob = await as({ [acme]: "admin" });
    const email = `${how}@sock.example`;
    const { urls, users } = await invite(email, "admin", bob);
    const made = await link("admin", undefined, bob);
    const content = await link("edit", { type: "space", id: "handbook" }, bob);
    const others = await link("read");
    expect(await tokensOf(users[0])).toHaveLength(1);
    expect((await does[how](bob.id)).status).toBe(how === "remove" ? 204 : 200);
    expect(await tokensOf(users[0])).toEqual([]);
    const stranger = await as();
    for (const url of [pathOf(urls[email]), made, content]) {
      expect((await stranger.accept(url)).status).toBe(404);
    }
    expect((await stranger.accept(others)).status).toBe(200);
    expect((await emitted(users[0])).map(([name]) => name)).toEqual(["token.revoked"]);
    expect((await invitesTo(acme)).map((row) => row.invited_by)).toEqual([ada.id]);
  },
);

test("a link from before somebody else removed or lowered a person does not bring them back; a later one and an invite do", async () => {
  const { acme, path, link, invite, remove, lower } = await administered();
  const [admin, content] = [await link("admin"), await link("edit", { type: "space", id: "handbook" })];
  const removed = await as({ [acme]: "read" });
  await remove(removed.id);
  const lowered = await as({ [acme]: "admin" });
  await lower(lowered.id);
  expect((await lowered.send("DELETE", `${path}/members/${lowered.id}`)).status).toBe(204);
  for (const person of [removed, lowered]) {
    const stranger = await as({}, { id: person.id });
    for (const url of [admin, content]) {
      const refused = await stranger.accept(url);
      expect([refused.status, refused.body.error.reason]).toEqual([403, "removed_since"]);
    }
  }
  const back = await as({}, { id: removed.id });
  expect((await back.accept(await link("read"))).status).toBe(200);
  const email = `${lowered.id.toLowerCase()}@example.com`;
  const { urls } = await invite(email, "read");
  const again = await as({}, { id: lowered.id });
  expect((await again.accept(pathOf(urls[email]))).status).toBe(200);
});

test("a link to content from before somebody else lowered a member, or removed them, gives them nothing as a member either", async () => {
  const { acme, ada, link, invite, remove, lower } = await administered();
  const target = { type: "space", id: "handbook" };
  const content = await link("create", target);
  const lowered = await as({ [acme]: "admin" });
  await lower(lowered.id);
  const removed = await as({ [acme]: "read" });
  await remove(removed.id);
  const email = `${removed.id.toLowerCase()}@example.com`;
  const back = await as({}, { id: removed.id });
  expect((await back.accept(pathOf((await invite(email, "read")).urls[email]))).status).toBe(200);
  for (const member of [lowered, back]) {
    const refused = await member.accept(content);
    expect([refused.status, refused.body.error.reason]).toEqual([403, "removed_since"]);
  }
  expect((await emitted(acme)).map(([name]) => name)).not.toContain("invite.accepted");
  expect((await ada.accept(content)).status).toBe(200);
  const later = await link("read", target);
  for (const member of [lowered, back]) expect((await member.accept(later)).status).toBe(200);
});

test("who left on their own comes back by the link they came by", async () => {
  const { acme, path, link } = await administered();
  const url = await link("read");
  const eve = await as({ [acme]: "read" });
  expect((await eve.send("DELETE", `${path}/members/${eve.id}`)).status).toBe(204);
  expect((await (await as({}, { id: eve.id })).accept(url)).status).toBe(200);
});

test("who was raised since a link was made comes back by it after leaving on their own", async () => {
  const { acme, ada, path, link } = await administered();
  const url = await link("read");
  const eve = await as({ [acme]: "read" });
  expect((await ada.send("PATCH", `${path}/members/${eve.id}`, { role: "edit" })).status).toBe(200);
  expect((await eve.send("DELETE", `${path}/members/${eve.id}`)).status).toBe(204);
  expect((await (await as({}, { id: eve.id })).accept(url)).status).toBe(200);
});
