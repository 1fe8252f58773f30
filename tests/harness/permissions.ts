import type { Role } from "@octavo/shared/access";
import type { Client } from "./client.js";

// Who may do what: every operation of the gateway's table, and the least that it takes.

export interface Permission {
  /** The least role; `guest` is any member, `anybody` whoever has a token, `themselves` nobody else's affair. */
  needs: Role | "guest" | "anybody" | "themselves";
  /** The same where the user that the path names is the caller. */
  own?: "guest" | "anybody";
  /** What a guest is answered who may not: 404 about content, which guests do not see, 403 about the organization. */
  guest?: 200 | 403 | 404;
  /** What a member of another organization is answered. */
  stranger?: number;
  /** What whoever may is answered, where that is not the status of success. */
  allowed?: number;
  /** The body, where the one that the operation understands is not enough. */
  body?: (ids: Ids) => object;
  /** It gives the callers what they had not, and comes after all others. */
  last?: true;
  /** Query that the operation cannot do without. */
  query?: string;
  /** Ids that take the place of the common ones. */
  ids?: Ids;
  /** Makes what the operation uses up, anew for each who may. */
  fresh?: (make: Make) => Promise<Ids>;
}

/** By the name that paths give them. */
export type Ids = Record<string, string>;

/** The administrator's request that makes something; answers its body. */
export type Make = <T = { id: string }>(method: string, path: string, body?: unknown) => Promise<T>;

export const makerOf =
  (call: Client): Make =>
  async <T>(method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };

type Table = Record<string, Permission>;
const anybody: Permission = { needs: "anybody" };
const member: Permission = { needs: "guest" };
/** About the organization itself, which a guest knows of. */
const here = (needs: Role): Permission => ({ needs, guest: 403 });
/** About content, which a guest does not know of. */
const on = (needs: Role): Permission => ({ needs });
/** About content that is public, as that of the furniture is. */
const seen: Permission = { needs: "read", guest: 200, stranger: 200 };

const org = "/orgs/{organizationId}";
const one = {
  member: `${org}/members/{userId}`,
  team: `${org}/teams/{teamId}`,
  site: `${org}/sites/{siteId}`,
  collection: "/collections/{collectionId}",
  space: "/spaces/{spaceId}",
  changeRequest: "/spaces/{spaceId}/change-requests/{changeRequestId}",
  integration: "/integrations/{integrationName}",
  installation: "/integrations/{integrationName}/installations/{installationId}",
};
const provider = `${org}/saml/{samlProviderId}`;
const account = `${org}/service-accounts/{serviceAccountId}`;
const link = `${org}/link-invites/{inviteId}`;
const UNKNOWN = { userId: "unknown", teamId: "unknown", inviteId: "unknown" };

const organizationOf = async (make: Make) =>
  (await make<{ items: { id: string }[] }>("GET", "/orgs")).items[0]!.id;
const newSpace = async (make: Make) => ({
  spaceId: (await make("POST", `/orgs/${await organizationOf(make)}/spaces`, { title: "Fresh" })).id,
});
const newCollection = async (make: Make) => ({
  collectionId: (await make("POST", `/orgs/${await organizationOf(make)}/collections`, { title: "Fresh" }))
    .id,
});
const newChangeRequest = async (make: Make) => {
  const { spaceId } = await newSpace(make);
  const { id } = await make("POST", `/spaces/${spaceId}/change-requests`, { subject: "Fresh" });
  const changes = [{ operation: "insert_page", title: "Fresh", document: { markdown: "Text" } }];
  await make("POST", `/spaces/${spaceId}/change-requests/${id}/content`, { changes });
  return { spaceId, changeRequestId: id };
};
const newSite = async (make: Make) => ({
  siteId: (await make("POST", `/orgs/${await organizationOf(make)}/sites`, { title: "Fresh" })).id,
});
const newTeam = async (make: Make) => ({
  teamId: (await make("PUT", `/orgs/${await organizationOf(make)}/teams`, { title: "Fresh" })).id,
});
const newProvider = async (make: Make) => ({
  samlProviderId: (await make("POST", `/orgs/${await organizationOf(make)}/saml`, { label: "Fresh" })).id,
});
const newAccount = async (make: Make) => {
  const path = `/orgs/${await organizationOf(make)}/service-accounts`;
  return { serviceAccountId: (await make("POST", path, { title: "Fresh", role: "read" })).id };
};
const newLink = async (make: Make) => ({
  inviteId: (await make("POST", `/orgs/${await organizationOf(make)}/link-invites`, { role: "read" })).id,
});
const newToken = async (make: Make) => {
  const userId = (await make("GET", "/user")).id;
  const path = `/orgs/${await organizationOf(make)}/members/${userId}/tokens`;
  return { userId, tokenId: (await make("POST", path, { label: "Fresh" })).id };
};
let integrations = 0;
const newIntegration = async (make: Make) => {
  const integrationName = `fresh-${++integrations}`;
  const organization = await organizationOf(make);
  const words = { title: "Fresh", description: "Fresh", scopes: [], script: "1", organization };
  await make("POST", `/integrations/${integrationName}`, words);
  return { integrationName };
};
const newInstallation = async (make: Make) => {
  const { integrationName } = await newIntegration(make);
  const organization = await organizationOf(make);
  const { id } = await make("POST", `/integrations/${integrationName}/installations`, { organization });
  return { integrationName, installationId: id };
};
const ownOrganization = ({ organizationId }: Ids) => ({ organization: organizationId });

const organizations: Table = {
  "GET /orgs": anybody,
  "POST /orgs": { ...anybody, last: true },
  [`GET ${org}`]: member,
  [`PATCH ${org}`]: here("admin"),
  [`POST ${org}/ping`]: member,
  "GET /subdomains/{subdomain}": anybody,
  "GET /email-domains/{emailDomain}/orgs": anybody,
  "GET /user": anybody,
  "GET /users/{userId}": { ...on("read"), own: "anybody" },
  "PATCH /users/{userId}": { needs: "themselves", own: "anybody" },
  "GET /user/email/verification": anybody,
  // The stack has no mail.
  "POST /user/email/verification": { ...anybody, allowed: 501 },
  "POST /user/email/verification/confirm": { ...anybody, allowed: 501 },
  "GET /user/tokens": anybody,
  "POST /user/tokens": anybody,
  // Of somebody else.
  "GET /user/tokens/{tokenId}": { ...anybody, allowed: 404 },
  "DELETE /user/tokens/{tokenId}": anybody,
  [`GET ${org}/audit-events`]: here("admin"),
  [`GET ${org}/audit-events/{auditEventId}`]: here("admin"),
};

const members: Table = {
  [`GET ${org}/members`]: here("read"),
  [`GET ${one.member}`]: { ...here("read"), own: "guest" },
  [`PATCH ${one.member}`]: here("admin"),
  [`DELETE ${one.member}`]: { ...here("admin"), ids: UNKNOWN },
  [`POST ${one.member}/sso`]: here("admin"),
  [`GET ${one.member}/teams`]: { ...here("read"), own: "guest" },
  [`GET ${one.member}/spaces`]: { ...here("admin"), own: "guest" },
  [`GET ${org}/teams`]: here("read"),
  [`PUT ${org}/teams`]: here("admin"),
  [`GET ${one.team}`]: here("read"),
  [`PATCH ${one.team}`]: here("admin"),
  [`DELETE ${one.team}`]: { ...here("admin"), fresh: newTeam },
  [`GET ${one.team}/members`]: here("read"),
  [`PUT ${one.team}/members`]: here("admin"),
  [`PUT ${one.team}/members/{userId}`]: here("admin"),
  [`DELETE ${one.team}/members/{userId}`]: here("admin"),
  [`GET ${org}/invites`]: here("admin"),
  [`POST ${org}/invites`]: here("admin"),
  [`DELETE ${org}/invites/{inviteId}`]: { ...here("admin"), ids: UNKNOWN },
  // An id that nobody was told.
  [`POST ${org}/invites/{inviteId}`]: { ...anybody, ids: UNKNOWN, allowed: 404 },
  // Who is in it already.
  [`POST ${org}/join`]: { ...member, allowed: 409 },
  [`GET ${org}/link-invites`]: here("admin"),
  [`POST ${org}/link-invites`]: here("admin"),
  [`GET ${link}`]: { ...here("admin"), fresh: newLink },
  [`PATCH ${link}`]: { ...here("admin"), fresh: newLink, body: () => ({ role: "read" }) },
  [`DELETE ${link}`]: { ...here("admin"), fresh: newLink },
  [`GET ${org}/email-domains`]: here("admin"),
  [`GET ${org}/email-domains/{emailDomain}`]: here("admin"),
  // Its DNS says nothing of it.
  [`POST ${org}/email-domains/{emailDomain}/verify`]: { ...here("admin"), allowed: 409 },
  [`GET ${org}/sso`]: member,
  [`GET ${org}/saml`]: here("admin"),
  [`POST ${org}/saml`]: { ...here("admin"), body: () => ({ label: "Another" }) },
  [`GET ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`PATCH ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`DELETE ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`GET ${org}/service-accounts`]: here("admin"),
  [`POST ${org}/service-accounts`]: here("admin"),
  [`GET ${account}`]: { ...here("admin"), fresh: newAccount },
  [`PATCH ${account}`]: { ...here("admin"), fresh: newAccount },
  [`DELETE ${account}`]: { ...here("admin"), fresh: newAccount },
  [`GET ${one.member}/tokens`]: here("admin"),
  [`POST ${one.member}/tokens`]: here("admin"),
  [`GET ${one.member}/tokens/{tokenId}`]: { ...here("admin"), fresh: newToken },
  [`DELETE ${one.member}/tokens/{tokenId}`]: { ...here("admin"), fresh: newToken },
};

const collections: Table = {
  [`GET ${org}/collections`]: member,
  [`POST ${org}/collections`]: here("create"),
  [`GET ${one.collection}`]: on("read"),
  [`PATCH ${one.collection}`]: on("create"),
  [`DELETE ${one.collection}`]: { ...on("create"), fresh: newCollection },
  [`POST ${one.collection}/move`]: on("create"),
  // To where it is already, which is said to those alone who may.
  [`POST ${one.collection}/transfer`]: { ...on("create"), body: ownOrganization, allowed: 409 },
  [`GET ${one.collection}/spaces`]: on("read"),
};

const spaces: Table = {
  [`GET ${org}/spaces`]: member,
  [`POST ${org}/spaces`]: here("create"),
  [`GET ${org}/search`]: { ...member, query: "query=words" },
  [`GET ${one.space}`]: seen,
  [`PATCH ${one.space}`]: on("create"),
  [`DELETE ${one.space}`]: { ...on("create"), fresh: newSpace },
  [`POST ${one.space}/restore`]: on("create"),
  [`POST ${one.space}/move`]: on("create"),
  [`POST ${one.space}/duplicate`]: on("create"),
  [`POST ${one.space}/transfer`]: { ...on("create"), body: ownOrganization, allowed: 409 },
  [`GET ${one.space}/search`]: { ...on("read"), query: "query=words" },
  [`POST ${one.space}/git/import`]: { ...on("create"), fresh: newSpace },
  [`GET ${one.space}/git/info`]: on("read"),
  [`GET ${one.space}/change-requests`]: on("read"),
  [`POST ${one.space}/change-requests`]: on("edit"),
  [`GET ${one.changeRequest}`]: on("read"),
  [`GET ${one.changeRequest}/changes`]: on("read"),
  [`GET ${one.space}/revisions/{revisionId}/changes`]: on("read"),
  [`PATCH ${one.changeRequest}`]: on("edit"),
  [`POST ${one.changeRequest}/content`]: on("edit"),
  [`GET ${org}/change-requests`]: member,
  [`GET ${one.changeRequest}/reviews`]: on("read"),
  [`POST ${one.changeRequest}/reviews`]: on("review"),
  [`GET ${one.changeRequest}/requested-reviewers`]: on("read"),
  [`POST ${one.changeRequest}/requested-reviewers`]: on("edit"),
  [`DELETE ${one.changeRequest}/requested-reviewers/{userId}`]: on("edit"),
  [`GET ${one.changeRequest}/contributors`]: on("read"),
  [`POST ${one.changeRequest}/update`]: on("edit"),
  [`POST ${one.changeRequest}/merge`]: { ...on("review"), fresh: newChangeRequest },
};

/** Everybody sees what the visitors of its site see of public content; lists of all that there is are for readers. */
const contentUnder = (base: string, shown = on("read")): Table =>
  Object.fromEntries([
    ...["", "/files"].map((path) => [`GET ${base}${path}`, on("read")]),
    ...[
      ...["/pages", "/page/{pageId}", "/page/{pageId}/document", "/path/{pagePath*}", "/files/{fileId}"],
      ...["/reusable-contents/{reusableContentId}", "/reusable-contents/{reusableContentId}/document"],
    ].map((path) => [`GET ${base}${path}`, shown]),
  ]);

/** Comments and their replies, which the administrator wrote; those on a change request have names of their own. */
function commentsUnder(base: string, prefix: "" | "changeRequest"): Table {
  const one = `${base}/comments/{commentId}`;
  const reply = `${one}/replies/{commentReplyId}`;
  const written = async (make: Make): Promise<Ids> => {
    const { spaceId, changeRequestId } = await newChangeRequest(make);
    const space = `/spaces/${spaceId}`;
    const path = prefix ? `${space}/change-requests/${changeRequestId}` : space;
    const body = { markdown: "Fresh" };
    const { id: comment } = await make("POST", `${path}/comments`, { body });
    const { id: answer } = await make("POST", `${path}/comments/${comment}/replies`, { body });
    const names: Ids = prefix
      ? { changeRequestCommentId: comment, changeRequestReplyId: answer }
      : { commentId: comment, commentReplyId: answer };
    return { spaceId, changeRequestId, ...names };
  };
  return {
    [`GET ${base}/comments`]: on("read"),
    [`POST ${base}/comments`]: on("comment"),
    [`GET ${one}`]: on("read"),
    [`PUT ${one}`]: on("comment"),
    // Of somebody else.
    [`DELETE ${one}`]: { ...on("create"), fresh: written },
    [`GET ${one}/replies`]: on("read"),
    [`POST ${one}/replies`]: on("comment"),
    [`GET ${reply}`]: on("read"),
    [`PUT ${reply}`]: on("comment"),
    [`DELETE ${reply}`]: { ...on("create"), fresh: written },
    [`GET ${base}/commenters`]: on("read"),
  };
}
const linksUnder = (base: string): Table =>
  Object.fromEntries(
    [
      "/links",
      "/content/page/{pageId}/links",
      "/content/page/{pageId}/backlinks",
      "/content/files/{fileId}/backlinks",
    ].map((path) => [`GET ${base}${path}`, on("read")]),
  );

/** Guests see who else there is no more here than elsewhere; unless granted something they do not even see the thing. */
function permissionsUnder(kind: "space" | "collection"): Table {
  const base = `${one[kind]}/permissions`;
  const granted = async (make: Make) => {
    const organization = await organizationOf(make);
    const ids = { ...(await newSpace(make)), ...(await newCollection(make)), ...(await newTeam(make)) };
    const userId = (await make("GET", "/user")).id;
    const path = kind === "space" ? `/spaces/${ids.spaceId}` : `/collections/${ids.collectionId}`;
    await make("POST", `${path}/permissions`, { users: [userId], teams: [ids.teamId], role: "read" });
    return { ...ids, userId, organizationId: organization };
  };
  return {
    [`POST ${base}`]: { ...on("create"), body: ({ userId }) => ({ users: [userId] }) },
    [`GET ${base}/aggregate`]: on("read"),
    [`GET ${base}/users`]: on("read"),
    [`PATCH ${base}/users/{userId}`]: { ...on("create"), fresh: granted },
    [`DELETE ${base}/users/{userId}`]: { ...on("create"), fresh: granted },
    [`GET ${base}/teams`]: on("read"),
    [`PATCH ${base}/teams/{teamId}`]: { ...on("create"), fresh: granted },
    [`DELETE ${base}/teams/{teamId}`]: { ...on("create"), fresh: granted },
  };
}

const sites: Table = {
  [`GET ${org}/sites`]: here("read"),
  [`POST ${org}/sites`]: here("create"),
  [`GET ${one.site}`]: here("read"),
  [`PATCH ${one.site}`]: here("create"),
  [`DELETE ${one.site}`]: { ...here("create"), fresh: newSite },
  [`POST ${one.site}/publish`]: here("create"),
  [`POST ${one.site}/unpublish`]: { ...here("create"), fresh: newSite },
  [`GET ${one.site}/publishing/auth`]: here("create"),
  [`PATCH ${one.site}/publishing/auth`]: here("create"),
  [`POST ${one.site}/publishing/auth/regenerate`]: here("create"),
  [`GET ${one.site}/published`]: here("read"),
  [`GET ${one.site}/site-spaces`]: here("read"),
  [`POST ${one.site}/site-spaces`]: {
    ...here("create"),
    fresh: async (make) => ({ ...(await newSite(make)), ...(await newSpace(make)) }),
    body: ({ spaceId }) => ({ spaceId }),
  },
};

const integrationTable: Table = {
  "GET /integrations": anybody,
  [`GET ${one.integration}`]: on("read"),
  [`POST ${one.integration}`]: { ...here("create"), body: ownOrganization },
  [`DELETE ${one.integration}`]: { ...on("create"), fresh: newIntegration },
  [`PUT ${one.integration}/dev`]: { ...on("create"), fresh: newIntegration },
  [`DELETE ${one.integration}/dev`]: { ...on("create"), fresh: newIntegration },
  [`GET ${one.integration}/events`]: on("create"),
  [`GET ${one.integration}/events/{eventId}`]: on("create"),
  [`GET ${one.integration}/installations`]: on("read"),
  [`POST ${one.integration}/installations`]: {
    ...on("create"),
    fresh: newIntegration,
    body: ownOrganization,
  },
  [`GET ${one.installation}`]: on("read"),
  [`PATCH ${one.installation}`]: on("create"),
  [`DELETE ${one.installation}`]: { ...on("create"), fresh: newInstallation },
  // For the integration itself, and for nobody.
  [`POST ${one.installation}/tokens`]: { needs: "themselves" },
};

/** By method and path below `/v1`. What needs no token at all is not among them. */
export const permissions: Table = {
  ...organizations,
  ...members,
  ...collections,
  ...spaces,
  ...contentUnder(`${one.space}/content`, seen),
  ...linksUnder(one.space),
  ...linksUnder(one.changeRequest),
  [`GET ${one.space}/documents/{documentId}`]: on("read"),
  ...contentUnder(`${one.space}/revisions/{revisionId}`),
  ...contentUnder(`${one.changeRequest}/content`),
  ...commentsUnder(one.space, ""),
  ...commentsUnder(one.changeRequest, "changeRequest"),
  ...permissionsUnder("space"),
  ...permissionsUnder("collection"),
  ...sites,
  ...integrationTable,
};
