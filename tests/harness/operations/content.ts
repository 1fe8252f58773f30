// Collections, spaces and what they hold.

import {
  choice,
  flag,
  id,
  list,
  long,
  none,
  type Operation,
  object,
  or,
  paged,
  position,
  text,
  url,
  words,
} from "./operation.js";

const content = { query: { metadata: words, computed: words } };
const page = {
  query: { metadata: words, computed: words, format: ["html", ""], evaluated: ["maybe", "1"] },
};
const files = { ...content, ...paged };
const document = { query: { evaluated: ["maybe", "1"] } };

/** The reads of content, which are mounted three times; `shown` is what holds for those of what a site shows. */
export const contentUnder = (base: string, shown: Operation = {}): Record<string, Operation> => ({
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

/** Which repository a git operation is about. */
const repository = {
  url: [...url, "ssh://example.com/x.git", "file:///etc/passwd", "git@example.com:x.git", "ext::sh -c id"],
  ref: [...text(255, 1), "main", "refs/heads/", "refs/heads/a b", "refs/heads/a:b", "--upload-pack=id"],
  repoCacheID: text(255),
  repoTreeURL: url,
  repoCommitURL: url,
  repoProjectDirectory: [1, null, "../up", "/etc", "docs/../../up", long(1025)],
  timestamp: [1, null, "yesterday"],
  force: flag,
  gitInfo: [...object, { provider: "nonsense" }, { url: "nowhere" }],
};

/** What is imported by its address. */
const imported: Operation = {
  body: {
    url: [...url, "file:///etc/passwd", "ftp://example.com/x"],
    source: choice,
  },
  good: { url: "http://127.0.0.1:9/x.md", source: "markdown" },
};

export const collections: Record<string, Operation> = {
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

const computedSource = {
  type: "builtin:openapi",
  props: {},
  dependencies: { spec: { ref: { kind: "openapi", spec: "pets" } } },
};

export const spaces: Record<string, Operation> = {
  "GET /orgs/{organizationId}/spaces": paged,
  "POST /orgs/{organizationId}/spaces": {
    body: {
      title: text(50),
      emoji: [...text(50), "house"],
      parent: id,
      language: choice,
      editMode: choice,
      template: [...object, {}, { id: "" }, { id: "blank", params: { contentRefs: { a: {} } } }],
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
  "GET /templates": {},
  "POST /spaces/{spaceId}/content/template": {
    body: { id: text(100, 1), params: [...object, { contentRefs: { a: {} } }] },
    good: { id: "blank" },
  },
  "POST /spaces/{spaceId}/content/computed/revision": {
    body: { seed: text(200, 1), source: [...object, {}, { ...computedSource, type: "builtin:other" }] },
    good: { seed: "s", source: computedSource },
  },
  "POST /spaces/{spaceId}/content/computed/document": {
    body: { seed: text(200, 1), source: [...object, {}, { ...computedSource, props: { doc: "other" } }] },
    good: { seed: "s", source: { ...computedSource, props: { doc: "models" } } },
    query: { schema: ["other"] },
  },
  "POST /spaces/{spaceId}/restore": none,
  "POST /spaces/{spaceId}/duplicate": none,
  "POST /spaces/{spaceId}/move": { body: { parent: or(id), position } },
  "POST /spaces/{spaceId}/transfer": { body: { organization: id }, good: { organization: "x" } },
  "GET /spaces/{spaceId}/search": { ...paged, query: { query: ["", long(513)] } },
  "GET /urls/embed": {
    query: { url: ["nowhere", "ftp://example.com", `https://example.com/${long(2048)}`] },
  },
  "GET /spaces/{spaceId}/embed": { open: true, query: { url: ["nowhere", "javascript:alert(1)"] } },
  "GET /orgs/{organizationId}/search": { ...paged, query: { query: ["", long(513)] } },
  "POST /spaces/{spaceId}/git/import": {
    body: { ...repository, standalone: flag },
    good: { url: "http://127.0.0.1:9/x.git", ref: "refs/heads/main" },
  },
  "POST /spaces/{spaceId}/git/export": {
    body: {
      ...repository,
      ref: [...repository.ref, "refs/tags/v1", "refs/pull/1/head"],
      commitMessage: text(10_000, 1),
    },
    good: { url: "http://127.0.0.1:9/x.git", ref: "refs/heads/main", commitMessage: "Export" },
  },
  "DELETE /spaces/{spaceId}/git/legacy-installation": {},
  "GET /spaces/{spaceId}/git/info": {},
  "GET /spaces/{spaceId}/git/sync": {},
  "PUT /spaces/{spaceId}/git/sync": {
    body: {
      url: repository.url,
      ref: [...repository.ref, "refs/tags/v1"],
      repoProjectDirectory: repository.repoProjectDirectory,
      repoTreeURL: url,
      repoCommitURL: url,
      gitInfo: repository.gitInfo,
      priority: choice,
      secret: text(200, 16),
    },
    good: { url: "http://127.0.0.1:9/x.git", ref: "refs/heads/main" },
  },
  "DELETE /spaces/{spaceId}/git/sync": {},
  "POST /spaces/{spaceId}/git/webhook": {},
  "POST /spaces/{spaceId}/content/import": imported,
  "POST /spaces/{spaceId}/content/page/{pageId}/import": imported,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/import": imported,
  "POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/import": imported,
  "GET /spaces/{spaceId}/imports": paged,
  "GET /spaces/{spaceId}/imports/{importId}": {},
  "GET /spaces/{spaceId}/downloads/{ticket}/{fileName}": {},
  "GET /spaces/{spaceId}/pdf": { query: { only: words } },
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/pdf": { query: { only: words } },
  "GET /spaces/{spaceId}/pdf/{ticket}/{fileName}": { named: { ticket: "pdfTicket", fileName: "pdfName" } },
  "GET /spaces/{spaceId}/files/{contentHash}/{fileName}": { named: { contentHash: "fileId" } },
};

const richText = [...object, { object: "document" }, { object: "document", data: {}, nodes: [1] }];
const empty = { object: "document", data: {}, nodes: [] };
const all = "/orgs/{organizationId}/translations";

export const translations: Record<string, Operation> = {
  [`GET ${all}`]: paged,
  [`POST ${all}`]: {
    body: {
      source: [...object, {}, { space: 1, language: "en" }, { space: "x", language: "tlh" }],
      language: choice,
      instructions: richText,
    },
    good: { source: { space: "x", language: "en" }, language: "de" },
  },
  [`GET ${all}/{translationId}`]: {},
  [`PUT ${all}/{translationId}`]: { body: { instructions: richText }, good: { instructions: empty } },
  [`DELETE ${all}/{translationId}`]: {},
  [`POST ${all}/{translationId}/run`]: none,
  [`GET ${all}-glossary`]: paged,
  [`PUT ${all}-glossary`]: {
    body: { operations: [...list(1, {}, { type: "drop" }, { type: "insert", translations: {} }), []] },
    good: { operations: [{ type: "insert", translations: { en: "space", de: "Bereich" } }] },
  },
  [`GET ${all}-glossary/{glossaryEntryId}`]: {},
};

/** A document in a body, or where it is. */
const source = [...object, {}, { url: "nowhere" }, { url: "ftp://example.com/a.yaml" }, { text: "" }];
const unreachable = { url: "http://127.0.0.1:9/openapi.yaml" };
const fontFile = { name: "acme.woff2", type: "font/woff2", size: 9 };
const specs = "/orgs/{organizationId}/openapi";

export const openapi: Record<string, Operation> = {
  [`GET ${specs}`]: paged,
  [`POST ${specs}`]: {
    body: { slug: ["", "Upper", "a--b", "-a", long(101), 1, null], source },
    good: { slug: "another", source: unreachable },
  },
  [`GET ${specs}/{specSlug}`]: {},
  [`PUT ${specs}/{specSlug}`]: { body: { source }, good: { source: unreachable }, creates: "specSlug" },
  [`PATCH ${specs}/{specSlug}`]: { body: { visibility: choice }, good: { visibility: "public" } },
  [`DELETE ${specs}/{specSlug}`]: {},
  [`GET ${specs}/{specSlug}/versions`]: paged,
  [`GET ${specs}/{specSlug}/versions/latest`]: {},
  [`GET ${specs}/{specSlug}/versions/latest/content`]: {},
  [`GET ${specs}/{specSlug}/versions/{versionId}`]: {},
  [`GET ${specs}/{specSlug}/versions/{versionId}/content`]: {},
  "POST /orgs/{organizationId}/storage/upload": {
    body: {
      kind: choice,
      file: [...object, {}, { ...fontFile, type: "text/html" }, { ...fontFile, size: 0 }],
    },
    good: { kind: "customization_font", file: fontFile },
  },
  "PUT /orgs/{organizationId}/storage/uploads/{storageKey}/{signature}": {
    raw: true,
    named: { signature: "storageSignature" },
  },
  "GET /orgs/{organizationId}/storage/files/{contentHash}/{fileName}": {
    named: { contentHash: "storedHash", fileName: "storedName" },
  },
  "GET /openapi/{openAPISpecId}": {},
  "GET /openapi/{openAPISpecId}/versions/{ticket}": { named: { ticket: "specTicket" } },
};

/** Who may do what with a space or a collection, which is mounted twice. */
export const permissionsUnder = (base: string): Record<string, Operation> => {
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
export const links: Record<string, Operation> = {
  ...linksUnder("/spaces/{spaceId}"),
  ...linksUnder("/spaces/{spaceId}/change-requests/{changeRequestId}"),
  "GET /spaces/{spaceId}/change-requests/{changeRequestId}/links": {
    ...paged,
    query: { status: ["fine", ""], brokenContext: ["page", ""] },
  },
};
