import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Client, createClient } from "../harness/client.js";
import { addPage } from "../harness/editing.js";
import { type Furniture, furnish } from "../harness/furnish.js";
import { specSource } from "../harness/permissions/content.js";
import { type SharedStack, sharedStack } from "../harness/shared-stack.js";
import { Failure, listOf, User, uri } from "./basics.js";
import { SemanticChanges } from "./change-shapes.js";
import * as integrations from "./integration-shapes.js";
import { OpenAPISpec, OpenAPISpecContent, OpenAPISpecVersion } from "./openapi-shapes.js";
import { Member, Organization, Token } from "./organization-shapes.js";
import {
  ComputedRevision,
  DocumentPage,
  Embed,
  File,
  JSONDocument,
  Pages,
  Pdf,
  ReusableContent,
  Revision,
} from "./page-shapes.js";
import { Comment, CommentReply, Contributor, RequestedReviewer, Review } from "./review-shapes.js";
import { PageResult, SiteSpaceResult, SpaceResult } from "./search-shapes.js";
import {
  AdaptiveSchema,
  CustomHostname,
  Customization,
  FontDefinition,
  InsightsAggregation,
  PublishedContentSite,
  PublishedSiteContent,
  PublishingAuth,
  ShareLink,
  Site,
  SiteMcpServer,
  SiteRedirect,
  SiteRelease,
  SiteReleaseContent,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  TemplateConditions,
  UserSitePermission,
} from "./site-shapes.js";
import { ChangeRequest, Collection, ContentImport, GitInfo, Space, SpaceTemplate } from "./space-shapes.js";
import { GlossaryEntry, Translation } from "./translation-shapes.js";

let stack: SharedStack;
let call: Client;
let at: Furniture;

beforeAll(async () => {
  stack = await sharedStack();
  call = createClient(stack);
  at = await furnish(call);
  await addPage(call, at.spaceId, "Merged");
});

const org = () => `/orgs/${at.organizationId}`;
const space = () => `/spaces/${at.spaceId}`;
const changeRequest = () => `${space()}/change-requests/${at.changeRequestId}`;
const site = () => `${org()}/sites/${at.siteId}`;
const spec = () => `${org()}/openapi/${at.specSlug}`;
const integration = () => `/integrations/${at.integrationName}`;
const installation = () => `${integration()}/installations/${at.installationId}`;

/** How a body misses a shape; nothing when it fits. */
function misfit(shape: z.ZodType, body: unknown): string {
  const { success, error } = shape.safeParse(body);
  return success ? "" : z.prettifyError(error);
}

type Read = [what: string, path: () => string, shape: z.ZodType];

/** The reads of comments on the space or on a change request. */
function comments(base: () => string, comment: keyof Furniture, reply: keyof Furniture): Read[] {
  const one = () => `${base()}/comments/${at[comment]}`;
  const pathOfReply = () => `${one()}/replies/${at[reply]}`;
  return [
    [`GET comments (${comment})`, () => `${base()}/comments`, listOf(Comment)],
    [`GET resolved ones (${comment})`, () => `${base()}/comments?status=resolved`, listOf(Comment)],
    [`GET comments/{commentId} (${comment})`, () => `${one()}?format=document`, Comment],
    [`GET replies (${comment})`, () => `${one()}/replies?format=document`, listOf(CommentReply)],
    [`GET replies/{commentReplyId} (${comment})`, pathOfReply, CommentReply],
    [`GET commenters (${comment})`, () => `${base()}/commenters`, listOf(Member)],
  ];
}

const reads: Read[] = [
  ["GET /", () => "/", z.strictObject({ version: z.string(), build: z.string() })],
  ["GET /user", () => "/user", User],
  ["GET /user/tokens", () => "/user/tokens", listOf(Token)],
  ["GET /user/tokens/{tokenId}", () => `/user/tokens/${at.tokenId}`, Token],
  ["GET /orgs", () => "/orgs", listOf(Organization)],
  ["GET /orgs/{organizationId}", org, Organization],
  ["GET members", () => `${org()}/members`, listOf(Member)],
  ["GET members/{userId}", () => `${org()}/members/${at.userId}`, Member],
  ["GET collections", () => `${org()}/collections`, listOf(Collection)],
  ["GET /collections/{collectionId}", () => `/collections/${at.collectionId}`, Collection],
  ["GET collections spaces", () => `/collections/${at.collectionId}/spaces`, listOf(Space)],
  ["GET spaces", () => `${org()}/spaces`, listOf(Space)],
  ["GET /spaces/{spaceId}", space, Space],
  ["GET pdf", () => `${space()}/pdf`, Pdf],
  ["GET change-request pdf", () => `${changeRequest()}/pdf?page=${at.pageId}&only=true`, Pdf],
  ["GET git/info", () => `${space()}/git/info`, GitInfo],
  ["GET imports", () => `${space()}/imports`, listOf(ContentImport)],
  ["GET imports/{importId}", () => `${space()}/imports/${at.importId}`, ContentImport],
  ["GET content", () => `${space()}/content`, Revision],
  ["GET revisions/{revisionId}", () => `${space()}/revisions/${at.revisionId}`, Revision],
  ["GET its changes", () => `${space()}/revisions/${at.revisionId}/changes`, SemanticChanges],
  ["GET changes", () => `${changeRequest()}/changes`, SemanticChanges],
  ["GET content/pages", () => `${space()}/content/pages`, Pages],
  ["GET content/page/{pageId}", () => `${space()}/content/page/${at.pageId}`, DocumentPage],
  ["GET a page's document", () => `${space()}/content/page/${at.pageId}/document`, JSONDocument],
  ["GET documents/{documentId}", () => `${space()}/documents/${at.documentId}`, JSONDocument],
  [
    "GET a reusable content",
    () => `${space()}/content/reusable-contents/${at.reusableContentId}`,
    ReusableContent,
  ],
  [
    "GET an evaluated page",
    () => `${space()}/content/page/${at.pageId}?format=document&evaluated=true`,
    DocumentPage,
  ],
  [
    "GET what is the same for every visitor",
    () => `${space()}/revisions/${at.revisionId}/page/${at.pageId}/document?evaluated=deterministic-only`,
    JSONDocument,
  ],
  ["GET content/path/{pagePath}", () => `${space()}/content/path/${at.pagePath}`, DocumentPage],
  ["GET content/files", () => `${space()}/content/files`, listOf(File)],
  ["GET content/files/{fileId}", () => `${space()}/content/files/${at.fileId}`, File],
  ...comments(space, "commentId", "commentReplyId"),
  ...comments(changeRequest, "changeRequestCommentId", "changeRequestReplyId"),
  ["GET search in a space", () => `${space()}/search?query=guides`, listOf(PageResult)],
  ["GET search in an organization", () => `${org()}/search?query=guides`, listOf(SpaceResult)],
  ["GET change-requests", () => `${space()}/change-requests?status=merged`, listOf(ChangeRequest)],
  ["GET a change request", changeRequest, ChangeRequest],
  ["GET its content", () => `${changeRequest()}/content`, Revision],
  ["GET its pages", () => `${changeRequest()}/content/pages`, Pages],
  ["GET sites", () => `${org()}/sites`, listOf(Site)],
  ["GET sites/{siteId}", site, Site],
  ["GET site-spaces", () => `${site()}/site-spaces`, listOf(SiteSpace)],
  ["GET permissions/aggregate", () => `${site()}/permissions/aggregate`, listOf(UserSitePermission)],
  ["GET releases", () => `${site()}/releases`, listOf(SiteRelease)],
  ["GET a release", () => `${site()}/releases/${at.siteReleaseId}`, SiteReleaseContent],
  ["GET share-links", () => `${site()}/share-links`, listOf(ShareLink)],
  ["GET adaptive-schema", () => `${site()}/adaptive-schema`, AdaptiveSchema],
  ["GET template-conditions", () => `${site()}/adaptive-schema/template-conditions`, TemplateConditions],
  [
    "GET publishing/preview",
    () => `${site()}/publishing/preview?claims=(plan:pro)`,
    z.strictObject({ url: z.url() }),
  ],
  ["GET sections", () => `${site()}/sections`, listOf(SiteSection)],
  ["GET section-groups", () => `${site()}/section-groups`, listOf(SiteSectionGroup)],
  ["GET structure", () => `${site()}/structure`, SiteStructure],
  ["GET publishing/auth", () => `${site()}/publishing/auth`, PublishingAuth],
  ["GET customization", () => `${site()}/customization`, Customization],
  [
    "GET customization of a site space",
    () => `${site()}/site-spaces/${at.siteSpaceId}/customization`,
    Customization,
  ],
  ["GET mcp-servers", () => `${site()}/mcp-servers`, listOf(SiteMcpServer)],
  ["GET mcp-servers/{siteMcpServerId}", () => `${site()}/mcp-servers/${at.siteMcpServerId}`, SiteMcpServer],
  ["GET fonts", () => `${org()}/fonts`, listOf(FontDefinition)],
  ["GET fonts/{fontId}", () => `${org()}/fonts/${at.fontId}`, FontDefinition],
  ["GET redirects", () => `${site()}/redirects`, listOf(SiteRedirect)],
  [
    "GET redirect",
    () => `${site()}/redirect?source=/former`,
    z.strictObject({ redirect: SiteRedirect, target: uri }),
  ],
  ["GET published", () => `${site()}/published`, PublishedContentSite],
  ["GET /templates", () => "/templates", listOf(SpaceTemplate)],
  ["GET openapi", () => `${org()}/openapi`, listOf(OpenAPISpec)],
  ["GET openapi/{specSlug}", spec, OpenAPISpec],
  ["GET versions", () => `${spec()}/versions`, listOf(OpenAPISpecVersion)],
  ["GET versions/latest", () => `${spec()}/versions/latest`, OpenAPISpecVersion],
  ["GET versions/latest/content", () => `${spec()}/versions/latest/content`, OpenAPISpecContent],
  ["GET versions/{versionId}", () => `${spec()}/versions/${at.versionId}`, OpenAPISpecVersion],
  ["GET its content", () => `${spec()}/versions/${at.versionId}/content`, OpenAPISpecContent],
  ["GET translations", () => `${org()}/translations`, listOf(Translation)],
  ["GET translations/{translationId}", () => `${org()}/translations/${at.translationId}`, Translation],
  ["GET glossary", () => `${org()}/translations-glossary`, listOf(GlossaryEntry)],
  [
    "GET glossary/{glossaryEntryId}",
    () => `${org()}/translations-glossary/${at.glossaryEntryId}`,
    GlossaryEntry,
  ],
  [
    "GET /urls/content of a collection",
    () => `/urls/content?url=${stack.base}/app/c/${at.collectionId}`,
    z.strictObject({ collection: Collection }),
  ],
  [
    "GET /urls/content of a page",
    () => `/urls/content?url=${stack.base}/app/s/${at.spaceId}/${at.pageId}`,
    z.strictObject({ space: Space, page: DocumentPage }),
  ],
  [
    "GET /urls/content of a change request",
    () => `/urls/content?url=${stack.base}/app/s/${at.spaceId}/change-requests/${at.changeRequestId}`,
    z.strictObject({ space: Space, changeRequest: ChangeRequest }),
  ],
  ["GET /urls/embed", () => "/urls/embed?url=http://127.0.0.1:9/", Embed],
  ["GET /spaces/{spaceId}/embed", () => `${space()}/embed?url=http://127.0.0.1:9/`, Embed],
  [
    "GET /urls/published",
    () => `/urls/published?url=${stack.base}/sites/${at.siteId}/`,
    PublishedSiteContent,
  ],
  ["GET /custom-hostnames/{hostname}", () => `/custom-hostnames/${at.hostname}`, CustomHostname],
  ["GET /integrations", () => "/integrations", listOf(integrations.Integration)],
  ["GET /integrations/{integrationName}", integration, integrations.Integration],
  ["GET installations", () => `${integration()}/installations`, listOf(integrations.Installation)],
  [
    "GET an installation",
    () => `${integration()}/installations/${at.installationId}`,
    integrations.Installation,
  ],
  ["GET spaces of an integration", () => `${integration()}/spaces`, listOf(integrations.SpaceInstallation)],
  ["GET sites of an integration", () => `${integration()}/sites`, listOf(integrations.SiteInstallation)],
  [
    "GET spaces of an installation",
    () => `${installation()}/spaces?extended=true`,
    listOf(integrations.SpaceInstallation),
  ],
  [
    "GET sites of an installation",
    () => `${installation()}/sites?extended=true`,
    listOf(integrations.SiteInstallation),
  ],
  [
    "GET an installation on a space",
    () => `${installation()}/spaces/${at.spaceId}`,
    integrations.SpaceInstallation,
  ],
  [
    "GET an installation on a site",
    () => `${installation()}/sites/${at.siteId}`,
    integrations.SiteInstallation,
  ],
  ["GET integrations of a space", () => `${space()}/integrations`, listOf(integrations.Integration)],
  ["GET integration-blocks", () => `${space()}/integration-blocks`, integrations.Blocks],
  ["GET integration-scripts of a space", () => `${space()}/integration-scripts`, integrations.Scripts],
  ["GET integrations of a site", () => `${site()}/integrations`, listOf(integrations.Integration)],
  ["GET integration-scripts of a site", () => `${site()}/integration-scripts`, integrations.Scripts],
  ["GET integrations of an organization", () => `${org()}/integrations`, listOf(integrations.Integration)],
  ["GET installations of an organization", () => `${org()}/installations`, listOf(integrations.Installed)],
  [
    "GET installations-status",
    () => `${org()}/integrations/installations-status`,
    listOf(integrations.IntegrationStatus),
  ],
  [
    "GET installation_status",
    () => `${org()}/integrations/${at.integrationName}/installation_status`,
    integrations.InstallationStatus,
  ],
  ["GET events", () => `${integration()}/events`, listOf(integrations.IntegrationEvent)],
  ["GET events/{eventId}", () => `${integration()}/events/${at.eventId}`, integrations.TracedEvent],
];

test.each(reads)("%s returns the shape of the interface", async (_, path, shape) => {
  const { status, body, headers } = await call<object>("GET", path());
  expect(status).toBe(200);
  expect(misfit(shape, body)).toBe("");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("x-request-id")).toBeTruthy();
  // The integration of the furniture is private, and no list of all of them names it.
  if ("items" in body && path() !== "/integrations") expect(body.items).not.toEqual([]);
});

const creations: [what: string, path: () => string, body: () => object, shape: z.ZodType][] = [
  [
    "POST /user/tokens",
    () => "/user/tokens",
    () => ({ label: "New", scopes: ["content:read"] }),
    Token.extend({ token: z.string() }),
  ],
  ["POST /orgs", () => "/orgs", () => ({ title: "New one" }), Organization],
  ["POST collections", () => `${org()}/collections`, () => ({ title: "New" }), Collection],
  ["POST spaces", () => `${org()}/spaces`, () => ({ title: "New" }), Space],
  ["POST duplicate", () => `${space()}/duplicate`, () => ({}), Space],
  ["POST change-requests", () => `${space()}/change-requests`, () => ({}), ChangeRequest],
  [
    "POST translations",
    () => `${org()}/translations`,
    () => ({ source: { space: at.spaceId, language: "en" }, language: "fr" }),
    Translation,
  ],
  ["POST sites", () => `${org()}/sites`, () => ({ title: "New", spaces: "empty" }), Site],
];

test.each(creations)("%s is 201 with a Location that returns the same", async (_, path, wanted, shape) => {
  const made = await call<{ urls: { location: string } }>("POST", path(), wanted());
  expect(made.status).toBe(201);
  expect(misfit(shape, made.body)).toBe("");
  const location = made.headers.get("location")!;
  expect(location).toBe(made.body.urls.location);
  expect(new URL(location).origin).toBe(stack.base);
  const found = await call<object>("GET", location);
  expect(found.status).toBe(200);
  const { token: _token, ...rest } = made.body as { token?: string };
  expect(found.body).toMatchObject(rest);
});

test("POST openapi is 201 with the Location of the specification, which is processed meanwhile", async () => {
  const source = { url: "http://127.0.0.1:9/openapi.yaml" };
  const made = await call<object>("POST", `${org()}/openapi`, { slug: "new-one", source });
  expect([made.status, misfit(OpenAPISpec, made.body)]).toEqual([201, ""]);
  const location = made.headers.get("location")!;
  expect(location).toBe(`${stack.base}/v1${org()}/openapi/new-one`);
  expect(misfit(OpenAPISpec, (await call("GET", location)).body)).toBe("");
});

test("POST site-spaces is 201 with the Location of the site space", async () => {
  const { body } = await call<{ id: string }>("POST", `${org()}/spaces`, { title: "Variant" });
  const added = await call<{ id: string }>("POST", `${site()}/site-spaces`, { spaceId: body.id });
  expect([added.status, misfit(SiteSpace, added.body)]).toEqual([201, ""]);
  const base = `${stack.base}/v1${site()}/site-spaces`;
  expect(added.headers.get("location")).toBe(`${base}/${added.body.id}`);
});

test("POST share-links is 201 with the Location of the share link, PUT adaptive-schema returns the schema", async () => {
  const made = await call<{ id: string }>("POST", `${site()}/share-links`, { name: "Partners" });
  expect([made.status, misfit(ShareLink, made.body)]).toEqual([201, ""]);
  const location = made.headers.get("location")!;
  expect(location).toBe(`${stack.base}/v1${site()}/share-links/${made.body.id}`);
  const changed = await call("PATCH", location, { active: false });
  expect([changed.status, misfit(ShareLink, changed.body)]).toEqual([200, ""]);
  const jsonSchema = {
    type: "object",
    properties: { beta: { type: "boolean", description: "Tests what is new." } },
    additionalProperties: false,
  };
  const put = await call("PUT", `${site()}/adaptive-schema`, { jsonSchema });
  expect([put.status, misfit(AdaptiveSchema, put.body)]).toEqual([200, ""]);
});

test("POST sections, section-groups and their sections is 201 with the Location of what was made", async () => {
  const { body } = await call<{ id: string }>("POST", `${org()}/spaces`, { title: "Section" });
  const section = await call<{ id: string }>("POST", `${site()}/sections`, { spaceId: body.id });
  expect([section.status, misfit(SiteSection, section.body)]).toEqual([201, ""]);
  const group = await call<{ id: string }>("POST", `${site()}/section-groups`, { title: "Group" });
  expect([group.status, misfit(SiteSectionGroup, group.body)]).toEqual([201, ""]);
  const path = `${site()}/section-groups/${group.body.id}`;
  const filled = await call("POST", `${path}/sections`, { sectionId: section.body.id });
  expect([filled.status, misfit(SiteSectionGroup, filled.body)]).toEqual([201, ""]);
  const base = `${stack.base}/v1`;
  expect(section.headers.get("location")).toBe(`${base}${site()}/sections/${section.body.id}`);
  expect(group.headers.get("location")).toBe(`${base}${path}`);
  expect(filled.headers.get("location")).toBe(`${base}${path}`);
});

test("POST installations is 201 with a Location that returns the same", async () => {
  const { body: other } = await call<{ id: string }>("POST", "/orgs", { title: "Installer" });
  await call("POST", "/integrations/open", {
    title: "Open",
    description: "",
    script: "1",
    scopes: [],
    visibility: "public",
    organization: at.organizationId,
  });
  const made = await call<object>("POST", "/integrations/open/installations", { organization: other.id });
  expect([made.status, misfit(integrations.Installation, made.body)]).toEqual([201, ""]);
  expect((await call("GET", made.headers.get("location")!)).body).toEqual(made.body);
});

/** What posting and changing comments returns. */
async function commented(base: string): Promise<[string, { status: number; body: unknown }, z.ZodType][]> {
  const body = { markdown: "Shaped" };
  const posted = await call<{ id: string; urls: { location: string } }>("POST", `${base}/comments`, { body });
  const one = posted.body.urls.location;
  const replied = await call<{ urls: { location: string } }>("POST", `${one}/replies?format=document`, {
    body,
  });
  const again = { body: { markdown: "Reshaped" }, addedReactions: ["🎉"] };
  return [
    ["comment", posted, Comment],
    ["reply", replied, CommentReply],
    ["edit a comment", await call("PUT", one, { ...again, resolved: true }), Comment],
    ["edit a reply", await call("PUT", replied.body.urls.location, again), CommentReply],
  ];
}

test("what is published, changed, moved or merged returns 200 in its shape", async () => {
  const published = await call<object>("POST", integration(), {
    title: "Furniture",
    description: "One of every kind",
    script: "2",
    scopes: ["space:content:read"],
    organization: at.organizationId,
  });
  const opened = await call<{ id: string }>("POST", `${space()}/change-requests`, { subject: "Shapes" });
  const one = `${space()}/change-requests/${opened.body.id}`;
  const changes = [{ operation: "insert_page", title: "Shaped", document: { markdown: "Text" } }];
  const responses: [string, { status: number; body: unknown }, z.ZodType][] = [
    ["publish an integration", published, integrations.Integration],
    ["rename a space", await call("PATCH", space(), { title: "Renamed" }), Space],
    ["move a space", await call("POST", `${space()}/move`, { parent: null }), Space],
    [
      "rename a collection",
      await call("PATCH", `/collections/${at.collectionId}`, { title: "R" }),
      Collection,
    ],
    ["rename a site", await call("PATCH", site(), { title: "Renamed" }), Site],
    [
      "count events",
      await call("POST", `${site()}/insights/events/aggregate`, {
        select: [{ column: "eventsCount" }, { column: "eventType" }],
        range: "last30Days",
      }),
      InsightsAggregation,
    ],
    [
      "search a site",
      await call("POST", `${site()}/search`, { query: "guides", scope: { mode: "all" } }),
      listOf(SiteSpaceResult),
    ],
    [
      "compute pages",
      await call("POST", `${space()}/content/computed/revision`, {
        seed: "s",
        source: specSource(at.specSlug, {}),
      }),
      ComputedRevision,
    ],
    [
      "compute a document",
      await call("POST", `${space()}/content/computed/document`, {
        seed: "s",
        source: specSource(at.specSlug, { doc: "operations", page: "furniture" }),
      }),
      JSONDocument,
    ],
    ["publish a site", await call("POST", `${site()}/publish`), Site],
    [
      "change a site space",
      await call("PATCH", `${site()}/site-spaces/${at.siteSpaceId}`, { path: "shaped" }),
      SiteSpace,
    ],
    ["move a site space", await call("POST", `${site()}/site-spaces/${at.siteSpaceId}/move`), SiteSpace],
    [
      "change a section",
      await call("PATCH", `${site()}/sections/${at.siteSectionId}`, {
        description: "Shaped",
        icon: "gear",
        condition: "visitor.claims.beta",
      }),
      SiteSection,
    ],
    ["move a section", await call("POST", `${site()}/sections/${at.siteSectionId}/move`), SiteSection],
    [
      "rename a group",
      await call("PATCH", `${site()}/section-groups/${at.siteSectionGroupId}`, { title: "R", icon: "gear" }),
      SiteSectionGroup,
    ],
    [
      "move a group",
      await call("POST", `${site()}/section-groups/${at.siteSectionGroupId}/move`, { position: {} }),
      SiteSectionGroup,
    ],
    [
      "sort a structure",
      await call("PATCH", `${site()}/structure/sort`, {
        item: { type: "site-section", id: at.siteSectionId },
        position: {},
      }),
      SiteSection,
    ],
    [
      "authenticate visitors",
      await call("PATCH", `${site()}/publishing/auth`, {
        backend: "custom",
        fallbackURL: "https://login.example.com",
      }),
      PublishingAuth,
    ],
    ["another key", await call("POST", `${site()}/publishing/auth/regenerate`), PublishingAuth],
    ["rename an organization", await call("PATCH", org(), { title: "Renamed" }), Organization],
    ["edit a change request", await call("POST", `${one}/content`, { changes }), ChangeRequest],
    [
      "update a change request",
      await call("POST", `${one}/update`),
      z.strictObject({ revision: z.string(), result: z.literal("update") }),
    ],
    ...(await commented(space())),
    ...(await commented(one)),
    [
      "merge a change request",
      await call("POST", `${one}/merge`),
      z.strictObject({ revision: z.string(), result: z.literal("merge") }),
    ],
  ];
  const found = responses.map(([what, { status, body }, shape]) => [what, status, misfit(shape, body)]);
  expect(found).toEqual(responses.map(([what]) => [what, 200, ""]));
});

test("requests for review, reviews and contributors have their shapes", async () => {
  const account = { title: "Reviewer", role: "review" };
  const reviewer = (await call<{ id: string }>("POST", `${org()}/service-accounts`, account)).body.id;
  const team = { title: "Reviewers", members: [reviewer] };
  const teamId = (await call<{ id: string }>("PUT", `${org()}/teams`, team)).body.id;
  const tokens = `${org()}/members/${reviewer}/tokens`;
  const { token } = (await call<{ token: string }>("POST", tokens, { label: "Reviews" })).body;
  const opened = await call<{ id: string }>("POST", `${space()}/change-requests`, { subject: "Reviewed" });
  const one = `${space()}/change-requests/${opened.body.id}`;
  const changes = [{ operation: "insert_page", title: "Reviewed", document: { markdown: "Text" } }];
  await call("POST", `${one}/content`, { changes });
  const requested = z.strictObject({
    users: z.array(RequestedReviewer).length(1),
    teams: z.array(RequestedReviewer).length(1).optional(),
  });
  const reviewers = { users: [reviewer], teams: [teamId] };
  const requestedReviewers = await call("POST", `${one}/requested-reviewers`, reviewers);
  const waiting = await call("GET", `${one}/requested-reviewers`);
  const review = { status: "changes-requested", comment: { markdown: "Shorter." } };
  const submitted = await call.as(token)("POST", `${one}/reviews`, review);
  const responses: [number, { status: number; body: unknown }, z.ZodType][] = [
    [200, requestedReviewers, requested],
    [200, waiting, listOf(RequestedReviewer)],
    [201, submitted, Review],
    [200, await call("GET", `${one}/reviews`), listOf(Review)],
    [200, await call("GET", `${one}/contributors`), listOf(Contributor)],
    [200, await call("GET", `${org()}/change-requests`), listOf(ChangeRequest)],
  ];
  const found = responses.map(([, { status, body }, shape]) => [status, misfit(shape, body)]);
  expect(found).toEqual(responses.map(([status]) => [status, ""]));
  for (const [, { body }] of responses.slice(3)) expect((body as { items: object[] }).items).not.toEqual([]);
});

test("refusals have one shape, or that of RFC 9457 when Accept names it", async () => {
  const refusals = [
    await call<object>("GET", "/spaces/unknown"),
    await call<object>("PATCH", space(), { title: 1, emoji: 2 }),
    await call<object>("GET", "/nowhere"),
    await call<object>("PUT", space(), {}),
    await call.as("wrong-token-of-nobody-at-all")<object>("GET", "/user"),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 400, 404, 405, 401]);
  for (const { body } of refusals) expect(misfit(Failure, body)).toBe("");
  const problem = await call.send("GET", "/spaces/unknown", { accept: "application/problem+json" });
  expect(problem.headers.get("content-type")).toBe("application/problem+json");
  expect(problem.body).toMatchObject({
    type: "urn:octavo:not_found",
    status: 404,
    detail: "Space: not found",
  });
});

test("DELETE is 204 whether or not the thing was there", async () => {
  const { body } = await call<{ id: string }>("POST", `${org()}/collections`, { title: "Short" });
  for (let times = 0; times < 2; times++) {
    const { status, body: nothing } = await call("DELETE", `/collections/${body.id}`);
    expect([status, nothing]).toEqual([204, undefined]);
  }
});
