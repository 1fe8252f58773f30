import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveRepository } from "@octavo/shared/testing/git-server";
import { type Client, eventually } from "./client.js";
import { FURNITURE_SCRIPT } from "./operations/integrations.js";
import { openTunnel } from "./tunnel.js";

export const HANDBOOK = resolve(import.meta.dirname, "../fixtures/handbook");

/** The ids of one thing of every kind, by the name that paths give it. */
export type Furniture = Record<
  | "organizationId"
  | "userId"
  | "teamId"
  | "serviceAccountId"
  | "samlProviderId"
  | "subdomain"
  | "emailDomain"
  | "inviteId"
  | "tokenId"
  | "collectionId"
  | "spaceId"
  | "changeRequestId"
  | "revisionId"
  | "pageId"
  | "commentId"
  | "commentReplyId"
  | "changeRequestCommentId"
  | "changeRequestReplyId"
  | "fileId"
  | "pagePath"
  | "documentId"
  | "reusableContentId"
  | "ticket"
  | "fileName"
  | "pdfTicket"
  | "pdfName"
  | "specSlug"
  | "openAPISpecId"
  | "versionId"
  | "specTicket"
  | "importId"
  | "translationId"
  | "glossaryEntryId"
  | "siteId"
  | "hostname"
  | "shareLinkId"
  | "siteSpaceId"
  | "siteReleaseId"
  | "siteRedirectId"
  | "siteSectionId"
  | "siteSectionGroupId"
  | "siteMcpServerId"
  | "fontId"
  | "storageKey"
  | "storageSignature"
  | "storedHash"
  | "storedName"
  | "webhookId"
  | "deliveryId"
  | "integrationName"
  | "installationId"
  | "eventId"
  | "auditEventId"
  | "assetName",
  string
>;

type Named = { id: string };

/** Imports a folder into a space by git, and waits for the end of it. */
export async function importFolder(call: Client, space: string, folder: string): Promise<void> {
  const repository = await serveRepository(folder);
  try {
    await call("POST", `/spaces/${space}/git/import`, { url: repository.url, ref: "refs/heads/main" });
    await eventually(async () => {
      const { body } = await call<{ operation: { state: string } }>("GET", `/spaces/${space}/git/info`);
      return body.operation.state === "success";
    });
  } finally {
    await repository.close();
  }
}

/** Makes one thing of every kind, all of them the caller's: a published site, an installed integration, and so on. */
export async function furnish(call: Client): Promise<Furniture> {
  const made = async <T = Named>(path: string, body: object, method = "POST") => {
    const response = await call<T>(method, path, body);
    if (response.status > 201) throw new Error(`${method} ${path} returned ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const organizationId = (await call<{ items: Named[] }>("GET", "/orgs")).body.items[0]!.id;
  const org = `/orgs/${organizationId}`;
  const userId = (await call<Named>("GET", "/user")).body.id;
  const auditEventId = (await call<{ items: Named[] }>("GET", `${org}/audit-events`)).body.items[0]!.id;
  const teamId = (await made(`${org}/teams`, { title: "Furniture" }, "PUT")).id;
  const account = { title: "Furniture", role: "read" };
  const serviceAccountId = (await made(`${org}/service-accounts`, account)).id;
  const samlProviderId = (await made(`${org}/saml`, { label: "Furniture" })).id;
  // What the whole of Octavo has but one of by its name.
  const unique = `furniture-${randomUUID().slice(0, 8)}`;
  const [subdomain, emailDomain] = [unique, `${unique}.example`];
  await call("PATCH", org, { hostname: subdomain, emailDomains: ["example.com", emailDomain] });
  await made(`${org}/invites`, { emails: [`${unique}@example.com`] });
  const inviteId = (await call<{ items: Named[] }>("GET", `${org}/invites`)).body.items[0]!.id;
  const tokenId = (await made("/user/tokens", { label: "Furniture" })).id;
  const collectionId = (await made(`${org}/collections`, { title: "Shelf" })).id;
  const spaceId = (await made(`${org}/spaces`, { title: "Handbook", parent: collectionId })).id;
  await importFolder(call, spaceId, HANDBOOK);
  const space = `/spaces/${spaceId}`;
  const importId = await furnishImport(call, space);
  const changeRequestId = (await made(`${space}/change-requests`, { subject: "Draft" })).id;
  const pagePath = "first-steps/guides";
  const { body: page } = await call<Named & { documentId: string }>(
    "GET",
    `${space}/content/path/${pagePath}`,
  );
  const { id: pageId, documentId } = page;
  const { body: revision } = await call<Named & { reusableContents: Named[] }>("GET", `${space}/content`);
  const [revisionId, reusableContentId] = [revision.id, revision.reusableContents[0]!.id];
  const { body: files } = await call<{ items: (Named & { downloadURL: string })[] }>(
    "GET",
    `${space}/content/files`,
  );
  const file = files.items[0]!;
  const [fileName, ticket] = new URL(file.downloadURL).pathname.split("/").reverse();
  const { body: pdf } = await call<{ url: string }>("GET", `${space}/pdf?page=${pageId}&only=true`);
  const [pdfName, pdfTicket] = new URL(pdf.url).pathname.split("/").reverse();
  const comments = await furnishComments(call, made, space, changeRequestId, pageId);
  const siteId = (await made(`${org}/sites`, { title: "Docs", spaces: [spaceId] })).id;
  const beta = { type: "boolean", description: "Tests what is new." };
  await call("PUT", `${org}/sites/${siteId}/adaptive-schema`, {
    jsonSchema: { type: "object", properties: { beta }, additionalProperties: false },
  });
  const shareLinkId = (await made(`${org}/sites/${siteId}/share-links`, { name: "Press" })).id;
  const site = `${org}/sites/${siteId}`;
  const hostname = `docs.${unique}.example`;
  await made(site, { hostname }, "PATCH");
  await made(`${site}/publish`, {});
  const siteSpaceId = (await call<{ items: Named[] }>("GET", `${site}/site-spaces`)).body.items[0]!.id;
  const destination = { kind: "site-space", siteSpaceId };
  const siteRedirectId = (await made(`${site}/redirects`, { source: "/former", destination })).id;
  const siteReleaseId = (await made(`${site}/releases`, { title: "Spring" })).id;
  const structure = await furnishStructure((path, body) => made<Shown>(path, body), org, siteId);
  const server = { name: "Tickets", url: "https://mcp.example.com", headers: { authorization: "Bearer x" } };
  const siteMcpServerId = (await made(`${site}/mcp-servers`, server)).id;
  const font = await furnishFont(call, organizationId);
  const spec = await furnishSpec(call, made, org, unique);
  const translation = await furnishTranslation(call, made, org, spaceId);
  const webhook = await furnishWebhook(call, organizationId);
  const rest = await furnishIntegration(call, organizationId, unique, { spaceId, siteId });
  return {
    organizationId,
    userId,
    teamId,
    auditEventId,
    inviteId,
    serviceAccountId,
    samlProviderId,
    subdomain,
    emailDomain,
    tokenId,
    collectionId,
    spaceId,
    changeRequestId,
    revisionId,
    pageId,
    pagePath,
    documentId,
    reusableContentId,
    importId,
    fileId: file.id,
    fileName: fileName!,
    ticket: ticket!,
    pdfName: decodeURIComponent(pdfName!),
    pdfTicket: pdfTicket!,
    siteId,
    shareLinkId,
    siteReleaseId,
    siteRedirectId,
    siteMcpServerId,
    hostname,
    ...comments,
    ...structure,
    ...font,
    ...spec,
    ...translation,
    ...webhook,
    ...rest,
  };
}

/** An import of an address at which there is nothing, which is remembered as well. */
async function furnishImport(call: Client, space: string): Promise<string> {
  await call("POST", `${space}/content/import`, { url: "http://127.0.0.1:9/x.md", source: "markdown" });
  return (await call<{ items: Named[] }>("GET", `${space}/imports`)).body.items[0]!.id;
}

type Shown = Named & { siteSpaces?: Named[] };

/** A second section of a site with a space of its own, in a group. */
async function furnishStructure(
  made: (path: string, body: object) => Promise<Shown>,
  org: string,
  site: string,
) {
  const { id: spaceId } = await made(`${org}/spaces`, { title: "Reference" });
  const path = `${org}/sites/${site}`;
  const section = await made(`${path}/sections`, { spaceId });
  const group = await made(`${path}/section-groups`, { title: "More", sections: [section.id] });
  return {
    siteSpaceId: section.siteSpaces![0]!.id,
    siteSectionId: section.id,
    siteSectionGroupId: group.id,
  };
}

/** A comment with a reply on a page of the space, and one on a change request. */
async function furnishComments(
  call: Client,
  made: (path: string, body: object, method?: string) => Promise<Named>,
  space: string,
  changeRequestId: string,
  page: string,
) {
  const body = { markdown: "What about this?" };
  const { body: document } = await call<{ nodes: { key: string }[] }>(
    "GET",
    `${space}/content/page/${page}/document`,
  );
  const node = document.nodes[0]!.key;
  const on = async (base: string) => {
    const { id } = await made(`${base}/comments`, { body, page, node });
    const one = `${base}/comments/${id}`;
    const reply = await made(`${one}/replies`, { body });
    const reactions = { addedReactions: ["👍"] };
    await made(`${one}/replies/${reply.id}`, { ...reactions, body: { markdown: "And this?" } }, "PUT");
    await made(one, { ...reactions, resolved: true }, "PUT");
    return [id, reply.id] as const;
  };
  const [commentId, commentReplyId] = await on(space);
  const [changeRequestCommentId, changeRequestReplyId] = await on(
    `${space}/change-requests/${changeRequestId}`,
  );
  return { commentId, commentReplyId, changeRequestCommentId, changeRequestReplyId };
}

/** A translation of the space that never ran, and a term. */
async function furnishTranslation(
  call: Client,
  made: (path: string, body: object, method?: string) => Promise<Named>,
  org: string,
  space: string,
) {
  const wanted = { source: { space, language: "en" }, language: "de" };
  const translationId = (await made(`${org}/translations`, wanted)).id;
  const glossary = `${org}/translations-glossary`;
  const operations = [{ type: "insert", translations: { en: "space", de: "Bereich" } }];
  await call("PUT", glossary, { operations });
  const { body } = await call<{ items: Named[] }>("GET", glossary);
  return { translationId, glossaryEntryId: body.items[0]!.id };
}

/** A public OpenAPI specification with a version. */
async function furnishSpec(
  call: Client,
  made: (path: string, body: object, method?: string) => Promise<Named>,
  org: string,
  specSlug: string,
) {
  const paths = { "/chairs": { get: { responses: { 200: { description: "Chairs" } } } } };
  const document = { openapi: "3.1.0", info: { title: "Furniture", version: "1" }, paths };
  const source = { text: JSON.stringify(document) };
  const { id: openAPISpecId } = await made(`${org}/openapi`, { slug: specSlug, source });
  const one = `${org}/openapi/${specSlug}`;
  await made(one, { visibility: "public" }, "PATCH");
  const version = await eventually(async () => {
    const { status, body } = await call<Named & { url: string }>("GET", `${one}/versions/latest`);
    return status === 200 ? body : undefined;
  });
  const specTicket = new URL(version.url).pathname.split("/").at(-1)!;
  return { specSlug, openAPISpecId, versionId: version.id, specTicket };
}

/** A font of a file that was uploaded. */
async function furnishFont(call: Client, organization: string) {
  const org = `/orgs/${organization}`;
  const bytes = "wOF2\0\x01\0\0furniture";
  const file = { name: "furniture.woff2", type: "font/woff2", size: bytes.length };
  const place = { kind: "customization_font", file };
  const upload = (await call<{ url: string; key: string }>("POST", `${org}/storage/upload`, place)).body;
  await call.as(undefined).send("PUT", upload.url, { "content-type": "font/woff2" }, bytes);
  const fontFaces = [{ weight: 400, storageKey: upload.key }];
  const { body } = await call<Font>("PUT", `${org}/fonts`, { fontFamily: "Furniture", fontFaces });
  const [storedHash, storedName] = body.fontFaces[0]!.sources[0]!.url.split("/").slice(-2);
  const storageSignature = upload.url.split("/").at(-1)!;
  const stored = { storedHash: storedHash!, storedName: storedName! };
  return { fontId: body.id, storageKey: upload.key, storageSignature, ...stored };
}

interface Font {
  id: string;
  fontFaces: { sources: { url: string }[] }[];
}

/** A webhook, which receives nothing but a test event. */
async function furnishWebhook(call: Client, organization: string) {
  const path = `/orgs/${organization}/webhooks`;
  const body = { url: "http://127.0.0.1:9/hook", description: "Furniture", types: ["site.deleted"] };
  const webhookId = (await call<Named>("POST", path, body)).body.id;
  const deliveryId = (await call<Named>("POST", `${path}/${webhookId}/test`, {})).body.id;
  await eventually(async () => {
    const { body } = await call<{ status: string }>("GET", `${path}/${webhookId}/deliveries/${deliveryId}`);
    return body.status === "failed";
  });
  return { webhookId, deliveryId };
}

async function furnishIntegration(
  call: Client,
  organization: string,
  integrationName: string,
  { spaceId, siteId }: { spaceId: string; siteId: string },
) {
  const path = `/integrations/${integrationName}`;
  const icon = (await readFile(join(HANDBOOK, ".gitbook/assets/dot.png"))).toString("base64");
  const words = {
    title: "Furniture",
    description: "One of every kind",
    script: FURNITURE_SCRIPT,
  };
  const { body } = await call<{ urls: { icon: string } }>("POST", path, {
    ...words,
    icon,
    scopes: ["space:content:read", "space:script:inject", "site:script:inject", "site:visitor:auth"],
    blocks: [{ id: "furniture", title: "Furniture" }],
    organization,
  });
  const tunnel = await openTunnel();
  try {
    await call("PUT", `${path}/dev`, { tunnelUrl: tunnel.url });
    const installed = await call<Named>("POST", `${path}/installations`, { organization });
    const one = `${path}/installations/${installed.body.id}`;
    await call("POST", `${one}/spaces`, { space: spaceId });
    await call("POST", `${one}/sites`, { siteId });
    const event = await eventually(async () => {
      const { body } = await call<{ items: Named[] }>("GET", `${path}/events`);
      return body.items[0];
    });
    await call("DELETE", `${path}/dev`);
    const assetName = new URL(body.urls.icon).pathname.split("/").at(-1)!;
    return { integrationName, installationId: installed.body.id, eventId: event.id, assetName };
  } finally {
    await tunnel.close();
  }
}
