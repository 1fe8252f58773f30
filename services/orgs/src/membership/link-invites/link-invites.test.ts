import { newId } from "@octavo/shared/ids";
import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { rows, as, content, launcher, emitted, end } = await startOrgs();
afterAll(end);

const acceptOf = (organization: string, invite: string) => `/v1/orgs/${organization}/invites/${invite}`;
const { roleOf } = rows;

/** An organization and what its administrator does with links. */
async function administered(settings: Parameters<typeof rows.organization>[0] = {}) {
  const organizationId = await rows.organization(settings);
  const ada = await as({ [organizationId]: "admin" });
  const ask = (verb: string, input: object = {}) =>
    ada.ask(`linkInvites.${verb}`, { organizationId, ...input });
  return { acme: organizationId, ada, create: (input: object) => ask("create", input), ask };
}
const space = (id = newId()) => ({ type: "space", id });

test("a link lets in whoever has it", async () => {
  const { acme, ada, create } = await administered();
  const made = await create({ role: "comment" });
  expect([made.status, made.body]).toEqual([
    200,
    { id: expect.any(String), role: "comment", redundant: false },
  ]);
  const { id } = made.body;
  expect(await ada.call.linkInvites.get({ organizationId: acme, inviteId: id })).toEqual(made.body);
  for (const person of [await as(), await as()]) {
    expect((await person.accept(acceptOf(acme, id))).status).toBe(200);
    expect(await roleOf(acme, person.id)).toBe("comment");
    const again = await person.accept(acceptOf(acme, id));
    expect([again.status, again.body.error.reason]).toEqual([409, "already_member"]);
  }
  expect((await launcher.accept(acceptOf(acme, id))).status).toBe(403);
});

test("a link to content grants through content, to members and to the guests that it makes", async () => {
  const { acme, create } = await administered();
  const target = space();
  const { body } = await create({ role: "edit", target });
  expect(body).toEqual({ id: body.id, role: "edit", target, redundant: false });
  const [member, guest] = [await as({ [acme]: "review" }), await as()];
  for (const { accept } of [member, guest]) {
    expect((await accept(acceptOf(acme, body.id))).status).toBe(200);
  }
  expect([await roleOf(acme, member.id), await roleOf(acme, guest.id)]).toEqual(["review", null]);
  const granted = { organization: acme, joinedAt: expect.any(String), target, level: "edit" };
  expect(await emitted(acme)).toEqual([
    ["invite.accepted", { ...granted, user: member.id }],
    ["member.added", { organization: acme, user: guest.id, role: null }],
    ["invite.accepted", { ...granted, user: guest.id }],
  ]);
});

test("the target of an invite is returned to services alone, and within its organization alone", async () => {
  const { acme, ada, create } = await administered();
  const target = space();
  const [link, open] = [await create({ role: "edit", target }), await create({ role: "read" })];
  const targetOf = (organizationId: string, inviteId: string) =>
    content.call.invites.target({ organizationId, inviteId });
  expect(await targetOf(acme, link.body.id)).toEqual(target);
  for (const [organization, invite] of [
    [acme, open.body.id],
    [acme, "unknown"],
    [await rows.organization(), link.body.id],
  ] as const) {
    expect(await targetOf(organization, invite)).toBeNull();
  }
  const input = { organizationId: acme, inviteId: link.body.id };
  await expect(ada.call.invites.target(input)).rejects.toThrow("only services");
});

test("the links to the organization, or those to one thing, are listed page by page", async () => {
  const { acme, ada, ask, create } = await administered({ email_domains: ["acme.example"] });
  await rows.verifiedDomains(acme, "acme.example");
  const [target, collection] = [space(), { type: "collection", id: newId() }];
  for (const link of [
    { role: null },
    { role: "read" },
    { role: "edit", target },
    { role: null, target: collection },
    { role: "edit", target: space() },
  ]) {
    expect((await create(link)).status).toBe(200);
  }
  const [organizationId] = Object.keys(ada.caller.kind === "user" ? ada.caller.organizations : {});
  const emails = [`${newId()}@acme.example`];
  await ada.send("POST", `/v1/orgs/${organizationId}/invites`, { emails });
  const list = async (target?: object) => {
    const { items } = await ada.call.linkInvites.list({
      organizationId,
      limit: 10,
      ...(target && { target }),
    } as never);
    return items.map(({ role, redundant }) => [role, redundant]).toSorted();
  };
  expect(await list()).toEqual([
    [null, true],
    ["read", false],
  ]);
  expect(await list(target)).toEqual([["edit", false]]);
  expect(await list(collection)).toEqual([[null, true]]);
  const paged = (page?: string) =>
    ada.call.linkInvites.list({ organizationId: organizationId!, limit: 1, page });
  const first = await paged();
  expect([first.count, (await paged(first.next?.page)).items.length]).toEqual([2, 1]);
  expect((await ask("get", { inviteId: "unknown" })).status).toBe(404);
});

test("links to one thing are listed by what they give, those that give nothing always", async () => {
  const { ask, create } = await administered();
  const target = space();
  const made = [];
  for (const role of ["read", "create", "admin", null]) made.push((await create({ role, target })).body.id);
  const listed = async (filter: object) => {
    const { body } = await ask("list", { target, limit: 10, ...filter });
    return [body.count, body.items.map(({ id }: { id: string }) => id).sort()];
  };
  expect(await listed({})).toEqual([4, [...made].sort()]);
  expect(await listed({ roles: ["read", "create"] })).toEqual([3, [made[0], made[1], made[3]].sort()]);
  expect(await listed({ roles: [] })).toEqual([1, [made[3]]]);
});

test("what a link gives can be changed, from now on", async () => {
  const { acme, ask, create } = await administered();
  const { id } = (await create({ role: "admin" })).body;
  const changed = await ask("update", { inviteId: id, role: "read" });
  expect([changed.status, changed.body.role, changed.body.id]).toEqual([200, "read", id]);
  const bob = await as();
  await bob.accept(acceptOf(acme, id));
  expect(await roleOf(acme, bob.id)).toBe("read");
  expect((await ask("update", { inviteId: "unknown", role: "read" })).status).toBe(404);
});

test("while inviteLinks is off no link is made, and none lets anybody in", async () => {
  const { acme, ada, create } = await administered();
  const { id } = (await create({ role: "read" })).body;
  await ada.send("PATCH", `/v1/orgs/${acme}`, { inviteLinks: false });
  const bob = await as();
  for (const response of [await create({ role: "read" }), await bob.accept(acceptOf(acme, id))]) {
    expect([response.status, response.body.error.reason]).toEqual([403, "invite_links_off"]);
  }
  expect(await roleOf(acme, bob.id)).toBeUndefined();
});

test("a link lets in nobody outside the organization's domains, or whose address nobody confirmed", async () => {
  const { acme, create } = await administered({ email_domains: ["acme.example", "claimed.example"] });
  await rows.verifiedDomains(acme, "acme.example");
  const { id } = (await create({ role: "read" })).body;
  const accept = async (email: string, email_verified = true) => {
    const person = await rows.person({ email: `${newId().toLowerCase()}@${email}`, email_verified });
    return (await as({}, { id: person })).accept(acceptOf(acme, id));
  };
  expect((await accept("acme.example")).status).toBe(200);
  for (const refused of [
    await accept("example.com"),
    await accept("claimed.example"),
    await accept("acme.example", false),
  ]) {
    expect([refused.status, refused.body.error.reason]).toEqual([403, "outside_email_domains"]);
  }
});

test("a link that is removed is shut; twice is no matter, and neither is another organization's", async () => {
  const { acme, ask, create } = await administered();
  const { id: inviteId } = (await create({ role: "read" })).body;
  const other = await administered();
  expect((await other.ask("remove", { inviteId })).status).toBe(200);
  expect((await ask("get", { inviteId })).status).toBe(200);
  for (const _ of [1, 2]) expect((await ask("remove", { inviteId })).status).toBe(200);
  expect((await ask("get", { inviteId })).status).toBe(404);
  expect((await (await as()).accept(acceptOf(acme, inviteId))).status).toBe(404);
});

test("the links of an organization are 403 below admin, 404 to a stranger", async () => {
  const { acme, ask, create } = await administered();
  const { id: inviteId } = (await create({ role: "read" })).body;
  for (const [person, status] of [
    [await as({ [acme]: "create" }), 403],
    [await as({ [acme]: null }), 403],
    [await as(), 404],
  ] as const) {
    const outcomeOf = async (verb: string, input: object) =>
      (await person.ask(`linkInvites.${verb}`, { organizationId: acme, ...input })).status;
    expect(await outcomeOf("create", { role: "admin" })).toBe(status);
    expect(await outcomeOf("update", { inviteId, role: "admin" })).toBe(status);
    expect(await outcomeOf("remove", { inviteId })).toBe(status);
    const input = { organizationId: acme, inviteId };
    await expect(person.call.linkInvites.get(input)).rejects.toMatchObject({
      code: status === 403 ? "FORBIDDEN" : "NOT_FOUND",
    });
    await expect(person.call.linkInvites.list({ ...input, limit: 1 })).rejects.toThrow();
  }
  expect((await ask("get", { inviteId })).body.role).toBe("read");
});

test("a member accepts a link to content whatever their address is", async () => {
  const { acme, create } = await administered({ email_domains: ["acme.example"] });
  const link = await create({ role: "read", target: space() });
  const bob = await as({ [acme]: "read" });
  expect((await bob.accept(acceptOf(acme, link.body.id))).status).toBe(200);
});
