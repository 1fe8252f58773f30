import {
  freshSlug,
  newChangeRequest,
  newCollection,
  newSpace,
  newSpec,
  newTeam,
  newTranslation,
  organizationOf,
  syncedSpace,
} from "./fresh.js";
import {
  anybody,
  here,
  type Ids,
  type Make,
  member,
  on,
  one,
  org,
  ownOrganization,
  seen,
  silent,
  type Table,
} from "./permission.js";

export const collections: Table = {
  [`GET ${org}/collections`]: member,
  [`POST ${org}/collections`]: here("create"),
  [`GET ${one.collection}`]: on("read"),
  [`PATCH ${one.collection}`]: on("create"),
  [`DELETE ${one.collection}`]: { ...on("create"), ...silent, fresh: newCollection },
  [`POST ${one.collection}/move`]: on("create"),
  // To where it is already, which is refused to those alone who may move it.
  [`POST ${one.collection}/transfer`]: { ...on("create"), body: ownOrganization, allowed: 409 },
  [`GET ${one.collection}/spaces`]: on("read"),
};

export const specSource = (spec: string, props: object) => ({
  type: "builtin:openapi",
  props,
  dependencies: { spec: { ref: { kind: "openapi", spec } } },
});

export const spaces: Table = {
  [`GET ${org}/spaces`]: member,
  [`POST ${org}/spaces`]: here("create"),
  [`GET ${org}/search`]: { ...member, query: "query=words" },
  [`GET ${one.space}`]: seen,
  [`PATCH ${one.space}`]: on("create"),
  [`DELETE ${one.space}`]: { ...on("create"), ...silent, fresh: newSpace },
  "GET /templates": anybody,
  // What is there is shown to those who may see it: the tests of the rules hold more.
  "GET /urls/content": { needs: "anybody", query: "url=https://nowhere.example/", allowed: 404 },
  [`POST ${one.space}/content/template`]: { ...on("create"), fresh: newSpace },
  [`POST ${one.space}/content/computed/revision`]: {
    ...on("read"),
    body: ({ specSlug }) => ({ seed: "s", source: specSource(specSlug!, {}) }),
  },
  [`POST ${one.space}/content/computed/document`]: {
    ...on("read"),
    body: ({ specSlug }) => ({
      seed: "s",
      source: specSource(specSlug!, { doc: "operations", page: "furniture" }),
    }),
  },
  [`POST ${one.space}/restore`]: on("create"),
  [`POST ${one.space}/move`]: on("create"),
  [`POST ${one.space}/duplicate`]: on("create"),
  [`POST ${one.space}/transfer`]: { ...on("create"), body: ownOrganization, allowed: 409 },
  // Nobody answers there: it is shown as a link.
  "GET /urls/embed": { needs: "anybody", query: "url=http://127.0.0.1:9/" },
  [`GET ${one.space}/embed`]: { ...seen, query: "url=http://127.0.0.1:9/" },
  [`GET ${one.space}/search`]: { ...on("read"), query: "query=words" },
  [`POST ${one.space}/git/import`]: { ...on("create"), fresh: newSpace },
  [`POST ${one.space}/git/export`]: { ...on("create"), fresh: newSpace },
  [`GET ${one.space}/git/info`]: on("read"),
  [`GET ${one.space}/pdf`]: on("read"),
  [`GET ${one.changeRequest}/pdf`]: on("read"),
  [`GET ${one.space}/git/sync`]: { ...on("create"), fresh: syncedSpace },
  [`PUT ${one.space}/git/sync`]: { ...on("create"), fresh: newSpace },
  [`DELETE ${one.space}/git/sync`]: { ...on("create"), ...silent, fresh: newSpace },
  [`DELETE ${one.space}/git/legacy-installation`]: { ...on("create"), ...silent, fresh: newSpace },
  // The address is one at which nothing is, which is refused to those alone who may.
  [`POST ${one.space}/content/import`]: { ...on("edit"), allowed: 400 },
  [`POST ${one.space}/content/page/{pageId}/import`]: { ...on("edit"), allowed: 400 },
  [`POST ${one.changeRequest}/content/import`]: { ...on("edit"), allowed: 400 },
  [`POST ${one.changeRequest}/content/page/{pageId}/import`]: { ...on("edit"), allowed: 400 },
  [`GET ${one.space}/imports`]: on("read"),
  [`GET ${one.space}/imports/{importId}`]: on("read"),
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

export const openapi: Table = {
  [`GET ${org}/openapi`]: here("read"),
  [`POST ${org}/openapi`]: { ...here("create"), body: () => ({ slug: freshSlug() }) },
  [`POST ${org}/storage/upload`]: here("create"),
  [`GET ${one.spec}`]: here("read"),
  [`PUT ${one.spec}`]: here("create"),
  [`PATCH ${one.spec}`]: here("create"),
  [`DELETE ${one.spec}`]: { ...here("create"), stranger: 204, fresh: newSpec },
  [`GET ${one.spec}/versions`]: here("read"),
  [`GET ${one.spec}/versions/latest`]: here("read"),
  [`GET ${one.spec}/versions/latest/content`]: here("read"),
  [`GET ${one.spec}/versions/{versionId}`]: here("read"),
  [`GET ${one.spec}/versions/{versionId}/content`]: here("read"),
};

const glossary = `${org}/translations-glossary`;
export const translations: Table = {
  [`GET ${org}/translations`]: here("admin"),
  [`POST ${org}/translations`]: {
    ...here("admin"),
    body: ({ spaceId }) => ({ source: { space: spaceId, language: "en" } }),
  },
  [`GET ${one.translation}`]: here("admin"),
  [`PUT ${one.translation}`]: here("admin"),
  [`DELETE ${one.translation}`]: { ...here("admin"), stranger: 204, fresh: newTranslation },
  [`POST ${one.translation}/run`]: { ...here("admin"), fresh: newTranslation },
  [`GET ${glossary}`]: here("admin"),
  [`PUT ${glossary}`]: here("admin"),
  [`GET ${glossary}/{glossaryEntryId}`]: here("admin"),
};

/** Everybody sees what the visitors of its site see of public content; lists of all that there is are for readers. */
export const contentUnder = (base: string, shown = on("read")): Table =>
  Object.fromEntries([
    ...["", "/files"].map((path) => [`GET ${base}${path}`, on("read")]),
    ...[
      "/pages",
      "/page/{pageId}",
      "/page/{pageId}/document",
      "/path/{pagePath*}",
      "/files/{fileId}",
      "/reusable-contents/{reusableContentId}",
      "/reusable-contents/{reusableContentId}/document",
    ].map((path) => [`GET ${base}${path}`, shown]),
  ]);

/** Comments and their replies, which the administrator wrote; those on a change request have names of their own. */
export function commentsUnder(base: string, prefix: "" | "changeRequest"): Table {
  const one = `${base}/comments/{commentId}`;
  const reply = `${one}/replies/{commentReplyId}`;
  const written = async (make: Make): Promise<Ids> => {
    const { spaceId, changeRequestId } = await newChangeRequest(make);
    const space = `/spaces/${spaceId}`;
    const path = prefix ? `${space}/change-requests/${changeRequestId}` : space;
    const body = { markdown: "Fresh" };
    const { id: comment } = await make("POST", `${path}/comments`, { body });
    const { id: reply } = await make("POST", `${path}/comments/${comment}/replies`, { body });
    const names: Ids = prefix
      ? { changeRequestCommentId: comment, changeRequestReplyId: reply }
      : { commentId: comment, commentReplyId: reply };
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
export const linksUnder = (base: string): Table =>
  Object.fromEntries(
    [
      "/links",
      "/content/page/{pageId}/links",
      "/content/page/{pageId}/backlinks",
      "/content/files/{fileId}/backlinks",
    ].map((path) => [`GET ${base}${path}`, on("read")]),
  );

/** Guests see who else there is no more here than elsewhere; unless granted something they do not even see the thing. */
export function permissionsUnder(kind: "space" | "collection"): Table {
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
