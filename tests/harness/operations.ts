// Every operation of the gateway's table, and what each of its fields must refuse.

import type { Furniture } from "./furnish.js";

/** Values that are each refused, with an issue that names the field. */
type Refused = unknown[];

export interface Operation {
  /** The fields of the body. */
  body?: Record<string, Refused>;
  /** A body that is right in every field, as a frame for a wrong one. */
  good?: Record<string, unknown>;
  /** The fields of the query besides `page` and `limit`. */
  query?: Record<string, string[]>;
  /** Whether it is a list with `page` and `limit`. */
  paged?: true;
  /** Whether it tells anybody who asks, as far as the furniture goes: its space is public. */
  open?: true;
  /** Whether browsers post a form to it. */
  form?: true;
  /** Parameters of the path that may name what is not there yet. */
  creates?: string;
  /** What parameters of the path name, where the furniture has another name for it than the path. */
  named?: Record<string, keyof Furniture>;
}

const long = (length: number) => "x".repeat(length);
const text = (max: number, min = 0): Refused => [
  1,
  null,
  true,
  {},
  ["x"],
  long(max + 1),
  "a\0b",
  ...(min > 0 ? [long(min - 1)] : []),
];
const id = text(100, 1);
const or = (nullable: Refused) => nullable.filter((value) => value !== null);
const choice: Refused = ["nonsense", "", 1, null, {}];
const flag: Refused = ["true", "no", 1, 0, null, {}];
const object: Refused = [1, "x", null, ["x"]];
const url: Refused = [1, null, "nowhere", "javascript:alert(1)", `http://example.com/${long(2048)}`];
const list = (...items: unknown[]): Refused => [1, "x", null, ...items.map((item) => [item])];
const position: Refused = [
  1,
  "first",
  { before: { type: "page", page: "x" } },
  { before: { type: "space" } },
  { before: { type: "space", space: "a" }, after: { type: "space", space: "b" } },
];

const words = ["maybe", "1", ""];
const paged = { paged: true } as const;
const none: Operation = { body: {} };

const settings = {
  title: text(255, 2),
  emailDomains: list("no domain", 1),
  hostname: ["x", "-no-", "has space", 1, null, long(33)],
  defaultRole: or(choice),
  defaultContent: [1, "x", { type: "nonsense" }, { type: "site" }],
  logo: or(url).filter((value) => value !== "javascript:alert(1)"),
  sso: flag,
  ai: flag,
  inviteLinks: flag,
};
const saml = {
  entityID: text(1024),
  certificate: [...text(10_000), "no certificate"],
  ssoURL: url,
  defaultTeam: [...id, "unknown"],
  defaultRole: or(choice),
};
const content = { query: { metadata: words, computed: words } };
const page = {
  query: { metadata: words, computed: words, format: ["html", ""], evaluated: ["maybe", "1"] },
};
const files = { ...content, ...paged };
const document = { query: { evaluated: ["maybe", "1"] } };

/** The reads of content, which are mounted three times; `shown` is what holds for those of what a site shows. */
const contentUnder = (base: string, shown: Operation = {}): Record<string, Operation> => ({
  [`GET ${base}`]: content,
  [`GET ${base}/pages`]: { ...content, ...shown },
  [`GET ${base}/page/{pageId}`]: { ...page, ...shown },
  [`GET ${base}/page/{pageId}/document`]: { ...document, ...shown },
  [`GET ${base}/path/{pagePath*}`]: { ...page, ...shown },
  [`GET ${base}/files`]: files,
  [`GET ${base}/files/{fileId}`]: { ...content, ...shown },
  [`GET ${base}/reusable-contents/{reusableContentId}`]: { ...content, ...shown },
  [`GET ${base}/reusable-contents/{reusableContentId}/document`]: { ...document, ...shown },
});

const insertion = { operation: "insert_page", title: "New", document: { markdown: "Text" } };

const token: Operation = {
  body: {
    label: text(50, 1),
    scopes: [...list("nonsense", 1), []],
    expiresAt: [1, null, "tomorrow", "2020-01-01T00:00:00Z"],
  },
  good: { label: "Another" },
};
const orgs: Record<string, Operation> = {
  "GET /orgs": paged,
  "POST /orgs": {
    body: { ...settings, type: choice, useCase: choice, communityType: choice },
    good: { title: "Another" },
  },
  "GET /orgs/{organizationId}": {},
  "PATCH /orgs/{organizationId}": { body: settings },
  "GET /orgs/{organizationId}/members": {
    ...paged,
    query: { role: ["owner", ""], order: ["up"], sort: ["name"], search: [long(513)] },
  },
  "GET /orgs/{organizationId}/members/{userId}": {},
  "PATCH /orgs/{organizationId}/members/{userId}": { body: { role: or(choice) } },
  "DELETE /orgs/{organizationId}/members/{userId}": {},
  "GET /orgs/{organizationId}/members/{userId}/spaces": { ...paged, query: { order: ["up"] } },
  "GET /orgs/{organizationId}/audit-events": {
    ...paged,
    query: {
      actor: ["", long(101)],
      action: ["", long(101)],
      target: ["", long(101)],
      targetType: ["", long(101)],
      from: ["yesterday", "2026-02-30T00:00:00Z"],
      to: ["tomorrow", ""],
    },
  },
  "GET /orgs/{organizationId}/audit-events/{auditEventId}": {},
  "GET /orgs/{organizationId}/members/{userId}/teams": { ...paged, query: { title: [long(65)] } },
  "GET /orgs/{organizationId}/teams": { ...paged, query: { owner: ["", long(101)], title: [long(65)] } },
  "PUT /orgs/{organizationId}/teams": {
    body: { title: text(64, 1), members: list("", 1, "unknown") },
    good: { title: "Another" },
  },
  "GET /orgs/{organizationId}/teams/{teamId}": {},
  "PATCH /orgs/{organizationId}/teams/{teamId}": { body: { title: text(64, 1) }, good: { title: "Another" } },
  "DELETE /orgs/{organizationId}/teams/{teamId}": {},
  "GET /orgs/{organizationId}/teams/{teamId}/members": paged,
  "PUT /orgs/{organizationId}/teams/{teamId}/members": {
    body: {
      add: list("", 1, "unknown"),
      memberships: [1, "x", null, [], { unknown: { role: "owner" } }, { unknown: { role: "admin" } }],
      remove: list("", 1),
    },
  },
  "PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}": { body: { role: choice } },
  "DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}": {},
  "POST /orgs/{organizationId}/members/{userId}/sso": none,
  "POST /orgs/{organizationId}/ping": none,
  "GET /orgs/{organizationId}/members/{userId}/tokens": paged,
  "POST /orgs/{organizationId}/members/{userId}/tokens": token,
  "GET /orgs/{organizationId}/members/{userId}/tokens/{tokenId}": {},
  "DELETE /orgs/{organizationId}/members/{userId}/tokens/{tokenId}": {},
  "GET /orgs/{organizationId}/service-accounts": paged,
  "POST /orgs/{organizationId}/service-accounts": {
    body: { title: text(64, 1), role: or(choice) },
    good: { title: "Another", role: "read" },
  },
  "GET /orgs/{organizationId}/service-accounts/{serviceAccountId}": {},
  "PATCH /orgs/{organizationId}/service-accounts/{serviceAccountId}": {
    body: { title: text(64, 1), role: or(choice) },
  },
  "DELETE /orgs/{organizationId}/service-accounts/{serviceAccountId}": {},
  "GET /orgs/{organizationId}/invites": paged,
  "POST /orgs/{organizationId}/invites": {
    body: {
      emails: [...list("nobody", 1, { email: "a@example.com" }), []],
      role: or(choice),
      sso: flag,
    },
    good: { emails: ["somebody@example.com"] },
  },
  "POST /orgs/{organizationId}/invites/{inviteId}": none,
  "DELETE /orgs/{organizationId}/invites/{inviteId}": {},
  "POST /orgs/{organizationId}/join": none,
  "GET /orgs/{organizationId}/link-invites": { ...paged, query: { space: [""], collection: [long(101)] } },
  "POST /orgs/{organizationId}/link-invites": {
    body: { role: or(choice), level: or(choice), space: id, collection: id },
    good: { role: "read" },
  },
  "GET /orgs/{organizationId}/link-invites/{inviteId}": {},
  "PATCH /orgs/{organizationId}/link-invites/{inviteId}": { body: { role: or(choice), level: or(choice) } },
  "DELETE /orgs/{organizationId}/link-invites/{inviteId}": {},
  "GET /email-domains/{emailDomain}/orgs": { open: true, creates: "emailDomain" },
  "GET /subdomains/{subdomain}": { open: true },
  "GET /orgs/{organizationId}/saml": paged,
  "POST /orgs/{organizationId}/saml": { body: { label: text(30, 1), ...saml }, good: { label: "Another" } },
  "GET /orgs/{organizationId}/saml/{samlProviderId}": {},
  "PATCH /orgs/{organizationId}/saml/{samlProviderId}": { body: { label: text(30, 1), ...saml } },
  "DELETE /orgs/{organizationId}/saml/{samlProviderId}": {},
  "GET /orgs/{organizationId}/sso": {},
  "GET /sso/saml/{samlProviderId}/metadata": {},
  "GET /sso/saml/{samlProviderId}/start": {},
  "POST /sso/saml/{samlProviderId}/acs": { form: true },
  "POST /sso/exchange": { body: { code: [1, null, true, {}, ["x"], "unknown"] } },
  "GET /users/{userId}": {},
  "PATCH /users/{userId}": { body: { displayName: text(64, 1), photoURL: url } },
  "GET /user": {},
  "GET /user/tokens": paged,
  "POST /user/tokens": token,
  "GET /user/tokens/{tokenId}": {},
  "DELETE /user/tokens/{tokenId}": {},
};

const collections: Record<string, Operation> = {
  "GET /orgs/{organizationId}/collections": { ...paged, query: { nested: words } },
  "POST /orgs/{organizationId}/collections": { body: { title: text(50), parent: id } },
  "GET /collections/{collectionId}": {},
  "PATCH /collections/{collectionId}": {
    body: { title: text(50), description: text(100), defaultLevel: or(choice) },
  },
  "DELETE /collections/{collectionId}": {},
  "POST /collections/{collectionId}/move": { body: { parent: or(id), position } },
  "POST /collections/{collectionId}/transfer": { body: { organization: id }, good: { organization: "x" } },
  "GET /collections/{collectionId}/spaces": paged,
};

const spaces: Record<string, Operation> = {
  "GET /orgs/{organizationId}/spaces": paged,
  "POST /orgs/{organizationId}/spaces": {
    body: {
      title: text(50),
      emoji: [...text(50), "house"],
      parent: id,
      language: choice,
      editMode: choice,
      template: object,
      computedSource: object,
    },
  },
  "GET /spaces/{spaceId}": { open: true, query: { shareKey: [long(513)] } },
  "PATCH /spaces/{spaceId}": {
    body: {
      title: text(50),
      emoji: or([...text(50), "house"]),
      icon: or(url),
      defaultLevel: or(choice),
      language: choice,
      editMode: choice,
    },
  },
  "DELETE /spaces/{spaceId}": {},
  "POST /spaces/{spaceId}/restore": none,
  "POST /spaces/{spaceId}/duplicate": none,
  "POST /spaces/{spaceId}/move": { body: { parent: or(id), position } },
  "POST /spaces/{spaceId}/transfer": { body: { organization: id }, good: { organization: "x" } },
  "GET /spaces/{spaceId}/search": { ...paged, query: { query: ["", long(513)] } },
  "GET /orgs/{organizationId}/search": { ...paged, query: { query: ["", long(513)] } },
  "POST /spaces/{spaceId}/git/import": {
    body: {
      url: [
        ...url,
        "ssh://example.com/x.git",
        "file:///etc/passwd",
        "git@example.com:x.git",
        "ext::sh -c id",
      ],
      ref: [...text(255, 1), "main", "refs/heads/", "refs/heads/a b", "refs/heads/a:b", "--upload-pack=id"],
      repoCacheID: text(255),
      repoTreeURL: url,
      repoCommitURL: url,
      repoProjectDirectory: [1, null, "../up", "/etc", "docs/../../up", long(1025)],
      timestamp: [1, null, "yesterday"],
      force: flag,
      standalone: flag,
      gitInfo: [...object, { provider: "nonsense" }, { url: "nowhere" }],
    },
    good: { url: "http://127.0.0.1:9/x.git", ref: "refs/heads/main" },
  },
  "GET /spaces/{spaceId}/git/info": {},
  "GET /spaces/{spaceId}/downloads/{ticket}/{fileName}": {},
};

/** Who may do what with a space or a collection, which is mounted twice. */
const permissionsUnder = (base: string): Record<string, Operation> => {
  const role = { body: { role: or(choice) } };
  return {
    [`POST ${base}`]: {
      body: { users: [...list("", 1), []], teams: [...list("", 1), []], role: or(choice) },
      good: { users: ["unknown"], role: "read" },
    },
    [`GET ${base}/aggregate`]: { ...paged, query: { role: ["owner", "guest", ""] } },
    [`GET ${base}/users`]: paged,
    [`PATCH ${base}/users/{userId}`]: role,
    [`DELETE ${base}/users/{userId}`]: {},
    [`GET ${base}/teams`]: paged,
    [`PATCH ${base}/teams/{teamId}`]: role,
    [`DELETE ${base}/teams/{teamId}`]: {},
  };
};

/** What content refers to, and what refers to it, mounted in a space and in a change request. */
const linksUnder = (base: string): Record<string, Operation> => {
  const statuses = { ...paged, query: { status: ["fine", ""] } };
  return {
    [`GET ${base}/links`]: statuses,
    [`GET ${base}/content/page/{pageId}/links`]: statuses,
    [`GET ${base}/content/page/{pageId}/backlinks`]: paged,
    [`GET ${base}/content/files/{fileId}/backlinks`]: paged,
  };
};
const links: Record<string, Operation> = {
  ...linksUnder("/spaces/{spaceId}"),
  ...linksUnder("/spaces/{spaceId}/change-requests/{changeRequestId}"),
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/links": {
    ...paged,
    query: { status: ["fine", ""], brokenContext: ["page", ""] },
  },
};

const changesLimit = { limit: ["-1", "1001", "1.5", "ten"] };
const changeRequests: Record<string, Operation> = {
  "GET /spaces/{spaceId}/change-requests": { ...paged, query: { status: ["closed", ""] } },
  "POST /spaces/{spaceId}/change-requests": { body: { subject: text(100) } },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}": {},
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes": { query: changesLimit },
  "GET /spaces/{spaceId}/revisions/{revisionId}/changes": {
    query: { ...changesLimit, metadata: words, computed: words },
  },
  "PATCH /spaces/{spaceId}/change-requests/{changeRequestId}": {
    body: { subject: text(100), status: [...choice, "merged"] },
  },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content": {
    query: { compat: words },
    body: {
      changes: [
        ...list({}, "x", { operation: "nonsense" }),
        [],
        Array.from({ length: 51 }, () => insertion),
        [{ ...insertion, title: long(501) }],
        [{ ...insertion, title: "" }],
        [{ ...insertion, document: undefined }],
        [{ ...insertion, document: { markdown: 1 } }],
        [{ ...insertion, document: { html: "<p>" } }],
        [{ ...insertion, at: -1 }],
        [{ ...insertion, at: 1.5 }],
        [{ ...insertion, hidden: "no" }],
        [{ ...insertion, slug: "a/b" }],
        [{ ...insertion, icon: "NO ICON" }],
        [{ ...insertion, emoji: "house" }],
        [{ ...insertion, condition: "plan =" }],
        [insertion, { operation: "update_page", title: "Without a page" }],
        [insertion, { operation: "update_page", page: "x", into: 1 }],
        [insertion, { operation: "delete_page" }],
        [insertion, { operation: "revert_page" }],
        [insertion, { operation: "revert_page", page: "x", revision: 1 }],
        [insertion, { operation: "revert_page", page: "x", block: ["a"] }],
        [insertion, { operation: "insert_files", files: [] }],
        [insertion, { operation: "insert_files", files: [{ name: "x", base64: "!" }] }],
        [insertion, { operation: "insert_files", files: [{ name: "x", url: "file:///etc/passwd" }] }],
      ],
    },
    good: { changes: [insertion] },
  },
  "GET /orgs/{organizationId}/change-requests": {
    ...paged,
    query: { status: ["closed", ""], creator: [""], contributor: [long(101)] },
  },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews": {
    ...paged,
    query: { outdated: words, format: ["html", ""] },
  },
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews": {
    body: {
      status: [...choice, "commented"],
      comment: [...object, { html: "<p>" }, { markdown: long(65_537) }, { markdown: "a\0b" }],
    },
    good: { status: "approved" },
  },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers": paged,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers": {
    body: {
      users: [...list("", 1), ["unknown"], Array.from({ length: 51 }, () => "unknown")],
      teams: [...list("", 1), ["unknown"], Array.from({ length: 51 }, () => "unknown")],
      subject: text(100),
    },
    good: { users: [] },
  },
  "DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}": {},
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/contributors": paged,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/merge": none,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/update": none,
};

/** Comments and their replies, which are mounted twice. */
function commentsUnder(base: string, named: Operation["named"] = {}): Record<string, Operation> {
  const document = { object: "document", data: {}, nodes: [] };
  const body = [
    ...[1, null, "x", ["x"], {}, { markdown: 1 }, { markdown: "" }, { markdown: " \n" }, { html: "<p>" }],
    ...[{ markdown: long(65_537) }, { markdown: "a\0b" }, { markdown: "x", document }, { document: {} }],
  ];
  const kinds = [1, "x", null, [1], [""], [long(51)], Array.from({ length: 21 }, String)];
  const reactions = { addedReactions: kinds, removedReactions: kinds };
  const good = { body: { markdown: "Text" } };
  const tableCell = [...object, {}, { record: "x" }, { record: 1, definition: "x" }];
  const formats = { format: ["html", ""] };
  const filters = {
    order: ["up", ""],
    status: ["closed", ""],
    targetPage: ["", long(101)],
    authors: ["", long(101)],
  };
  const one = `${base}/comments/{commentId}`;
  const reply = `${one}/replies/{commentReplyId}`;
  return {
    [`GET ${base}/comments`]: { ...paged, query: { ...formats, ...filters } },
    [`POST ${base}/comments`]: { body: { body, page: id, node: text(100, 1), tableCell }, good },
    [`GET ${one}`]: { named, query: formats },
    [`PUT ${one}`]: { named, body: { body, ...reactions, resolved: flag } },
    [`DELETE ${one}`]: { named },
    [`GET ${one}/replies`]: { named, ...paged, query: formats },
    [`POST ${one}/replies`]: { named, query: formats, body: { body }, good },
    [`GET ${reply}`]: { named, query: formats },
    [`PUT ${reply}`]: { named, body: { body, ...reactions } },
    [`DELETE ${reply}`]: { named },
    [`GET ${base}/commenters`]: paged,
  };
}
/** The names of those on a change request. */
const ON_CHANGE_REQUEST = {
  commentId: "changeRequestCommentId",
  commentReplyId: "changeRequestReplyId",
} as const;

const siteFields = {
  title: text(128, 2),
  visibility: choice,
};
const oneSite = "/orgs/{organizationId}/sites/{siteId}";
const sites: Record<string, Operation> = {
  "GET /orgs/{organizationId}/sites": {
    ...paged,
    query: { published: words, type: ["nonsense"], title: [long(129)] },
  },
  "POST /orgs/{organizationId}/sites": {
    body: { ...siteFields, type: choice, spaces: [1, "nonsense", null, [1], ["a", "a"], [""]] },
  },
  [`GET ${oneSite}`]: {},
  [`PATCH ${oneSite}`]: {
    body: {
      ...siteFields,
      basename: [...text(100, 1), "has space", "-no-", "a--b", "a/b"],
      adaptiveContent: [...object, {}, { enabled: "yes" }],
      agentsContext: choice,
      defaultSiteSpace: id,
      defaultSiteSection: id,
      proxy: [1, "no proxy", "http://example.com/docs", {}],
    },
  },
  [`DELETE ${oneSite}`]: {},
  [`POST ${oneSite}/publish`]: none,
  [`POST ${oneSite}/unpublish`]: none,
  [`GET ${oneSite}/publishing/auth`]: {},
  [`PATCH ${oneSite}/publishing/auth`]: {
    body: {
      backend: choice,
      fallbackURL: [...or(url), "https://login.example.com/?location=/docs"],
    },
    good: { backend: "custom" },
  },
  [`POST ${oneSite}/publishing/auth/regenerate`]: none,
  [`GET ${oneSite}/published`]: { query: { shareKey: [long(513)] } },
  [`GET ${oneSite}/site-spaces`]: { ...paged, query: { default: words, shareKey: [long(513)] } },
  [`POST ${oneSite}/site-spaces`]: { body: { spaceId: id, sectionId: id }, good: { spaceId: "x" } },
};

const oneIntegration = "/integrations/{integrationName}";
const integrations: Record<string, Operation> = {
  "GET /integrations": {
    ...paged,
    query: {
      search: [long(201)],
      category: ["nonsense"],
      blockDomain: ["has space", long(101)],
      blocks: words,
      contentSources: words,
      scope: ["nonsense"],
      target: ["nonsense"],
    },
  },
  [`GET ${oneIntegration}`]: {},
  [`POST ${oneIntegration}`]: {
    creates: "integrationName",
    body: {
      organization: id,
      runtime: choice,
      script: [1, null, "", {}],
      title: text(30, 2),
      description: text(100),
      summary: text(2048),
      visibility: choice,
      target: choice,
      scopes: list("nonsense", 1),
      categories: list("nonsense", 1),
      blocks: list("x", { id: "x" }),
      contentSources: list("x", { id: "x" }),
      configurations: [1, "x", { account: {} }, { account: { properties: { x: { type: "nonsense" } } } }],
      externalLinks: list("x", { url: "nowhere", label: "x" }),
      contentSecurityPolicy: [1, "two\nlines", { "img-src": "two\nlines" }],
      icon: [1, "no picture", "aGVsbG8="],
      previewImages: [1, "x", ["no picture"]],
      secrets: [1, "x", { key: 1 }],
    },
    good: { title: "Witness", description: "", scopes: [], script: "1", organization: "x" },
  },
  [`DELETE ${oneIntegration}`]: {},
  [`GET ${oneIntegration}/assets/{assetName}`]: {},
  [`PUT ${oneIntegration}/dev`]: {
    body: { tunnelUrl: [...url, `http://example.com/${long(256)}`], all: flag },
    good: { tunnelUrl: "http://127.0.0.1:9" },
  },
  [`DELETE ${oneIntegration}/dev`]: {},
  [`GET ${oneIntegration}/events`]: paged,
  [`GET ${oneIntegration}/events/{eventId}`]: {},
  [`GET ${oneIntegration}/installations`]: { ...paged, query: { externalId: ["", long(1001)] } },
  [`POST ${oneIntegration}/installations`]: { body: { organization: id }, good: { organization: "x" } },
  [`GET ${oneIntegration}/installations/{installationId}`]: {},
  [`PATCH ${oneIntegration}/installations/{installationId}`]: {
    body: {
      externalIds: [...list("", 1, long(1001)), ["1", "2", "3", "4", "5", "6"]],
      configuration: [...object, { key: "a\0b" }],
      space_selection: choice,
      site_selection: choice,
    },
  },
  [`DELETE ${oneIntegration}/installations/{installationId}`]: {},
};

/** By method and path below `/v1`. */
export const operations: Record<string, Operation> = {
  ...orgs,
  ...collections,
  ...spaces,
  ...contentUnder("/spaces/{spaceId}/content", { open: true }),
  "GET /spaces/{spaceId}/documents/{documentId}": { query: { schema: ["last", ""] } },
  ...contentUnder("/spaces/{spaceId}/revisions/{revisionId}"),
  ...contentUnder("/spaces/{spaceId}/change-requests/{changeRequestId}/content"),
  ...permissionsUnder("/spaces/{spaceId}/permissions"),
  ...permissionsUnder("/collections/{collectionId}/permissions"),
  ...changeRequests,
  ...commentsUnder("/spaces/{spaceId}"),
  ...commentsUnder("/spaces/{spaceId}/change-requests/{changeRequestId}", ON_CHANGE_REQUEST),
  ...links,
  ...sites,
  ...integrations,
};
