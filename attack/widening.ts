import type { Role } from "@octavo/shared/contracts/roles";
import { type Client, createClient } from "../tests/harness/client.js";
import { register } from "../tests/harness/people.js";
import { type Attack, isRefused, type Party, type Target } from "./attack.js";

/** People who try to get more than they were given, for themselves or for others. */
export const widening: Attack = {
  name: "widening",
  claim: "nobody gives what they have not, nor opens what is closed to them",
  async run(target, trial) {
    const owner = await target.newParty("Owner");
    for (const attempts of [membersAttempts, guestsAttempts, tokensAttempts]) {
      for (const [what, call, method, path, body] of await attempts(target, owner)) {
        await trial.expect(what, call(method, path, body), isRefused);
      }
    }
  },
};

type Attempt = [what: string, call: Client, method: string, path: string, body?: object];

/** Makes somebody a member of the owner's organization, with a role or as a guest. */
async function join({ stack, database }: Target, { things }: Party, role: Role | null) {
  const person = await register(stack, `Member-${role}`);
  await database.query("update orgs.member set organization = $1, role = $2 where person = $3", [
    things.organizationId,
    role,
    person.id,
  ]);
  return { person, call: createClient({ base: stack.base, token: person.token }) };
}

/** A space that only its maker and those who are granted it see, on a site that is not published. */
async function closedSpace({ call, things }: Party) {
  const org = `/orgs/${things.organizationId}`;
  const make = async (path: string, body: object) => (await call<{ id: string }>("POST", path, body)).body.id;
  const collection = await make(`${org}/collections`, { title: "Closed" });
  await call("PATCH", `/collections/${collection}`, { defaultLevel: null });
  const space = await make(`${org}/spaces`, { title: "Closed", parent: collection });
  const site = await make(`${org}/sites`, { title: "Closed", spaces: [space] });
  await call("PATCH", `${org}/sites/${site}`, { visibility: "share-link" });
  return { collection, space, site };
}

async function membersAttempts(target: Target, owner: Party): Promise<Attempt[]> {
  const org = `/orgs/${owner.things.organizationId}`;
  const closed = await closedSpace(owner);
  const { call, person } = await join(target, owner, "create");
  const users = [person.id];
  const { spaceId, collectionId, teamId } = owner.things;
  const account = { title: "Another", role: "admin" };
  return [
    ["a member reads a closed space", call, "GET", `/spaces/${closed.space}`],
    ["a member copies a closed space", call, "POST", `/spaces/${closed.space}/duplicate`, {}],
    [
      "a member grants a closed space",
      call,
      "POST",
      `/spaces/${closed.space}/permissions`,
      { users, role: "read" },
    ],
    ["a member shows a closed space on a new site", call, "POST", `${org}/sites`, { spaces: [closed.space] }],
    [
      "a member shows a closed space on a site",
      call,
      "POST",
      `${org}/sites/${owner.things.siteId}/site-spaces`,
      { spaceId: closed.space },
    ],
    ["a member publishes a closed space", call, "POST", `${org}/sites/${closed.site}/publish`, {}],
    [
      "a member makes a closed space public",
      call,
      "PATCH",
      `${org}/sites/${closed.site}`,
      { visibility: "public" },
    ],
    [
      "a member moves a space into a closed collection",
      call,
      "POST",
      `/spaces/${spaceId}/move`,
      { parent: closed.collection },
    ],
    [
      "a member opens a collection to all",
      call,
      "PATCH",
      `/collections/${collectionId}`,
      { defaultLevel: "admin" },
    ],
    ["a member opens a space to all", call, "PATCH", `/spaces/${spaceId}`, { defaultLevel: "admin" }],
    [
      "a member grants more than theirs",
      call,
      "POST",
      `/spaces/${spaceId}/permissions`,
      { users, role: "admin" },
    ],
    [
      "a member grants a team more than theirs",
      call,
      "POST",
      `/collections/${collectionId}/permissions`,
      { teams: [teamId], role: "admin" },
    ],
    ["a member raises their role", call, "PATCH", `${org}/members/${person.id}`, { role: "admin" }],
    ["a member makes an administrator", call, "POST", `${org}/service-accounts`, account],
    ["a member invites an administrator", call, "POST", `${org}/link-invites`, { role: "admin" }],
    [
      "a member invites to more than theirs",
      call,
      "POST",
      `${org}/link-invites`,
      { space: spaceId, level: "admin" },
    ],
    [
      "a member makes a token of an administrator",
      call,
      "POST",
      `${org}/members/${owner.person.id}/tokens`,
      { label: "Taken" },
    ],
    ["a member sets the role of all", call, "PATCH", org, { defaultRole: "admin" }],
    [
      "a member takes over the name of an administrator",
      call,
      "PATCH",
      `/users/${owner.person.id}`,
      { displayName: "Me" },
    ],
  ];
}

async function guestsAttempts(target: Target, owner: Party): Promise<Attempt[]> {
  const { things } = owner;
  const { call, person } = await join(target, owner, null);
  const space = `/spaces/${things.spaceId}`;
  await owner.call("POST", `${space}/permissions`, { users: [person.id], role: "create" });
  await owner.call("POST", `/collections/${things.collectionId}/permissions`, {
    users: [person.id],
    role: "create",
  });
  const { body: own } = await call<{ id: string }>("POST", "/orgs", { title: "Elsewhere" });
  const elsewhere = { organization: own.id };
  return [
    ["a guest takes a space out of the organization", call, "POST", `${space}/transfer`, elsewhere],
    [
      "a guest takes a collection out of the organization",
      call,
      "POST",
      `/collections/${things.collectionId}/transfer`,
      elsewhere,
    ],
    ["a guest opens a space to all", call, "PATCH", space, { defaultLevel: "admin" }],
    ["a guest makes a space", call, "POST", `/orgs/${things.organizationId}/spaces`, {}],
    [
      "a guest makes a site",
      call,
      "POST",
      `/orgs/${things.organizationId}/sites`,
      { spaces: [things.spaceId] },
    ],
    ["a guest lists the members", call, "GET", `/orgs/${things.organizationId}/members`],
    [
      "a guest grants more than theirs",
      call,
      "POST",
      `${space}/permissions`,
      { users: [person.id], role: "admin" },
    ],
  ];
}

async function tokensAttempts(target: Target, owner: Party): Promise<Attempt[]> {
  const org = `/orgs/${owner.things.organizationId}`;
  const { person } = await join(target, owner, "admin");
  const tokenOf = async (path: string, body: object) => {
    const { body: made } = await owner.call<{ token: string }>("POST", path, { label: "Narrow", ...body });
    return createClient({ base: target.stack.base, token: made.token });
  };
  const reading = await tokenOf("/user/tokens", { scopes: ["content:read"] });
  const writing = await tokenOf("/user/tokens", { scopes: ["content:write"] });
  const bound = await tokenOf(`${org}/members/${person.id}/tokens`, {});
  const label = "Wide";
  return [
    ["a token for reading content makes another", reading, "POST", "/user/tokens", { label }],
    ["a token for reading content writes", reading, "POST", `${org}/spaces`, {}],
    [
      "a token for content makes one for all",
      writing,
      "POST",
      "/user/tokens",
      { label, scopes: ["orgs:write"] },
    ],
    ["a token for content makes a site", writing, "POST", `${org}/sites`, {}],
    ["a token of one organization makes another one", bound, "POST", "/orgs", { title: "Elsewhere" }],
    [
      "a token of one organization changes its person",
      bound,
      "PATCH",
      `/users/${person.id}`,
      { displayName: "Me" },
    ],
  ];
}
