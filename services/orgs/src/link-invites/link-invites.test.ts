import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../testing.js";

const { db, rows, as, launcher, emitted, end } = await startOrgs();
afterAll(end);

const pathOf = (organization: string) => `/v1/orgs/${organization}/link-invites`;
const acceptOf = (organization: string, invite: string) => `/v1/orgs/${organization}/invites/${invite}`;
const roleOf = async (organization: string, person: string) =>
  (
    await db
      .selectFrom("member")
      .select("role")
      .where("organization", "=", organization)
      .where("person", "=", person)
      .executeTakeFirst()
  )?.role;

test("POST /orgs/{organizationId}/link-invites makes a link that lets in whoever has it", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const made = await ada.send("POST", pathOf(acme), { role: "comment" });
  const { id } = made.body;
  const location = `http://octavo.test${pathOf(acme)}/${id}`;
  const urls = { location, accept: `http://octavo.test${acceptOf(acme, id)}` };
  expect([made.status, made.headers.get("location")]).toEqual([201, location]);
  expect(made.body).toEqual({ object: "invite", id, role: "comment", redundant: false, urls });
  expect((await ada.send("GET", `${pathOf(acme)}/${id}`)).body).toEqual(made.body);
  for (const person of [await as(), await as()]) {
    expect((await person.send("POST", acceptOf(acme, id))).status).toBe(200);
    expect(await roleOf(acme, person.id)).toBe("comment");
    const again = await person.send("POST", acceptOf(acme, id));
    expect([again.status, again.body.error.reason]).toEqual([409, "already_member"]);
  }
  expect((await launcher.send("POST", acceptOf(acme, id))).status).toBe(403);
});

test("a link to content grants through content, to members and to the guests that it makes", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const space = newId();
  const made = await ada.send("POST", pathOf(acme), { level: "edit", space });
  expect([made.status, made.body.level, made.body.role]).toEqual([201, "edit", undefined]);
  expect(made.body.space).toEqual({
    object: "space",
    id: space,
    organization: acme,
    urls: { location: `http://octavo.test/v1/spaces/${space}`, app: `http://octavo.test/app/s/${space}` },
  });
  const [member, guest] = [await as({ [acme]: "review" }), await as()];
  for (const { send } of [member, guest]) {
    expect((await send("POST", acceptOf(acme, made.body.id))).status).toBe(200);
  }
  expect([await roleOf(acme, member.id), await roleOf(acme, guest.id)]).toEqual(["review", null]);
  const granted = { organization: acme, target: { type: "space", id: space }, level: "edit" };
  expect(await emitted(acme)).toEqual([
    ["invite.accepted", { ...granted, user: member.id }],
    ["member.added", { organization: acme, user: guest.id, role: null }],
    ["invite.accepted", { ...granted, user: guest.id }],
  ]);
});

test("GET …/link-invites lists those to the organization, or to one space or collection", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example"] });
  const ada = await as({ [acme]: "admin" });
  const [space, collection] = [newId(), newId()];
  for (const body of [
    { role: null },
    { role: "read" },
    { level: "edit", space },
    { level: null, collection },
    { level: "edit", space: newId() },
  ]) {
    expect((await ada.send("POST", pathOf(acme), body)).status).toBe(201);
  }
  await ada.send("POST", `/v1/orgs/${acme}/invites`, { emails: [`${newId()}@acme.example`] });
  const list = async (query = "") => {
    const { body } = await ada.send("GET", `${pathOf(acme)}?${query}`);
    return body.items.map((item: Record<string, unknown>) => [
      "role" in item ? item.role : item.level,
      item.redundant,
    ]);
  };
  expect((await list()).toSorted()).toEqual(
    [
      [null, true],
      ["read", false],
    ].toSorted(),
  );
  expect(await list(`space=${space}`)).toEqual([["edit", false]]);
  expect(await list(`collection=${collection}`)).toEqual([[null, true]]);
  const first = (await ada.send("GET", `${pathOf(acme)}?limit=1`)).body;
  expect([
    first.count,
    (await ada.send("GET", `${pathOf(acme)}?limit=1&page=${first.next.page}`)).body.items.length,
  ]).toEqual([2, 1]);
});

test("PATCH …/link-invites/{inviteId} changes what the link gives from now on, and nothing else", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const { id } = (await ada.send("POST", pathOf(acme), { role: "admin" })).body;
  const path = `${pathOf(acme)}/${id}`;
  const changed = await ada.send("PATCH", path, {
    role: "read",
    id: "mine",
    organization: "beta",
    email: "x",
  });
  expect([changed.status, changed.body.role, changed.body.id]).toEqual([200, "read", id]);
  const bob = await as();
  await bob.send("POST", acceptOf(acme, id));
  expect(await roleOf(acme, bob.id)).toBe("read");
  for (const [body, issue] of [
    [{}, "body.role"],
    [{ level: "read" }, "body.role"],
    [{ role: "read", level: "read" }, "body.level"],
    [{ role: "owner" }, "body.role"],
  ] as const) {
    const { status, body: answer } = await ada.send("PATCH", path, body);
    expect([status, answer.error.issues[0].path]).toEqual([400, issue]);
  }
  const content = (await ada.send("POST", pathOf(acme), { level: "read", collection: "c" })).body;
  const leveled = await ada.send("PATCH", `${pathOf(acme)}/${content.id}`, { level: "edit" });
  expect([leveled.status, leveled.body.level]).toEqual([200, "edit"]);
  expect((await ada.send("PATCH", `${pathOf(acme)}/unknown`, { role: "read" })).status).toBe(404);
});

test("POST …/link-invites with anything but one of its forms is 400", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  for (const [body, paths] of [
    [{}, ["body.role"]],
    [{ role: "owner" }, ["body.role"]],
    [{ level: "read" }, ["body.role", "body.level"]],
    [{ space: "s" }, ["body.level"]],
    [{ role: "read", space: "s" }, ["body.level", "body.role"]],
    [{ level: "read", space: "s", collection: "c" }, ["body.collection"]],
    [{ level: "inherit", space: "" }, ["body.level", "body.space"]],
  ] as const) {
    const { status, body: answer } = await ada.send("POST", pathOf(acme), body);
    const issues = answer.error.issues.map(({ path }: { path: string }) => path);
    expect([status, issues]).toEqual([400, paths]);
  }
  expect((await ada.send("GET", pathOf(acme))).body.count).toBe(0);
});

test("while inviteLinks is off no link is made, and none lets anybody in", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const { id } = (await ada.send("POST", pathOf(acme), { role: "read" })).body;
  await ada.send("PATCH", `/v1/orgs/${acme}`, { inviteLinks: false });
  const bob = await as();
  for (const answer of [
    await ada.send("POST", pathOf(acme), { role: "read" }),
    await bob.send("POST", acceptOf(acme, id)),
  ]) {
    expect([answer.status, answer.body.error.reason]).toEqual([403, "invite_links_off"]);
  }
  expect(await roleOf(acme, bob.id)).toBeUndefined();
  expect((await ada.send("GET", pathOf(acme))).body.count).toBe(1);
});

test("a link lets in nobody outside the organization's domains, or whose address nobody confirmed", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example"] });
  const ada = await as({ [acme]: "admin" });
  const { id } = (await ada.send("POST", pathOf(acme), { role: "read" })).body;
  const accept = async (email: string, email_verified = true) => {
    const person = await rows.person({ email: `${newId().toLowerCase()}@${email}`, email_verified });
    return (await as({}, { id: person })).send("POST", acceptOf(acme, id));
  };
  expect((await accept("acme.example")).status).toBe(200);
  for (const refused of [await accept("example.com"), await accept("acme.example", false)]) {
    expect([refused.status, refused.body.error.reason]).toEqual([403, "outside_email_domains"]);
  }
});

test("DELETE …/link-invites/{inviteId} shuts the link; twice is 204 too", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const { id } = (await ada.send("POST", pathOf(acme), { role: "read" })).body;
  const beta = await rows.organization();
  const eve = await as({ [beta]: "admin" });
  expect((await eve.send("DELETE", `${pathOf(beta)}/${id}`)).status).toBe(204);
  expect((await ada.send("GET", `${pathOf(acme)}/${id}`)).status).toBe(200);
  for (const _ of [1, 2]) expect((await ada.send("DELETE", `${pathOf(acme)}/${id}`)).status).toBe(204);
  expect((await ada.send("GET", `${pathOf(acme)}/${id}`)).status).toBe(404);
  expect((await (await as()).send("POST", acceptOf(acme, id))).status).toBe(404);
});

test("the link invites of an organization are 403 below admin, 404 to a stranger", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const { id } = (await ada.send("POST", pathOf(acme), { role: "read" })).body;
  for (const [person, status] of [
    [await as({ [acme]: "create" }), 403],
    [await as({ [acme]: null }), 403],
    [await as(), 404],
  ] as const) {
    expect((await person.send("GET", pathOf(acme))).status).toBe(status);
    expect((await person.send("POST", pathOf(acme), { role: "admin" })).status).toBe(status);
    expect((await person.send("GET", `${pathOf(acme)}/${id}`)).status).toBe(status);
    expect((await person.send("PATCH", `${pathOf(acme)}/${id}`, { role: "admin" })).status).toBe(status);
    expect((await person.send("DELETE", `${pathOf(acme)}/${id}`)).status).toBe(status);
  }
  expect((await ada.send("GET", `${pathOf(acme)}/${id}`)).body.role).toBe("read");
});

test("a member accepts a link to content whatever their address is", async () => {
  const acme = await rows.organization({ email_domains: ["acme.example"] });
  const ada = await as({ [acme]: "admin" });
  const link = await ada.send("POST", `/v1/orgs/${acme}/link-invites`, { level: "read", space: "known" });
  const bob = await as({ [acme]: "read" });
  expect((await bob.send("POST", `/v1/orgs/${acme}/invites/${link.body.id}`)).status).toBe(200);
});
