import { randomBytes } from "node:crypto";
import type { Make } from "./permission.js";

export const organizationOf = async (make: Make) =>
  (await make<{ items: { id: string }[] }>("GET", "/orgs")).items[0]!.id;
export const newSpace = async (make: Make) => ({
  spaceId: (await make("POST", `/orgs/${await organizationOf(make)}/spaces`, { title: "Fresh" })).id,
});
export const syncedSpace = async (make: Make) => {
  const { spaceId } = await newSpace(make);
  const remote = { url: "http://127.0.0.1:9/x.git", ref: "refs/heads/main" };
  await make("PUT", `/spaces/${spaceId}/git/sync`, remote);
  return { spaceId };
};
export const newCollection = async (make: Make) => ({
  collectionId: (await make("POST", `/orgs/${await organizationOf(make)}/collections`, { title: "Fresh" }))
    .id,
});
export const newChangeRequest = async (make: Make) => {
  const { spaceId } = await newSpace(make);
  const { id } = await make("POST", `/spaces/${spaceId}/change-requests`, { subject: "Fresh" });
  const changes = [{ operation: "insert_page", title: "Fresh", document: { markdown: "Text" } }];
  await make("POST", `/spaces/${spaceId}/change-requests/${id}/content`, { changes });
  return { spaceId, changeRequestId: id };
};
export const newWebhook = async (make: Make) => {
  const body = { url: "https://example.com/hook", types: ["site.deleted"] };
  return { webhookId: (await make("POST", `/orgs/${await organizationOf(make)}/webhooks`, body)).id };
};
export const newSite = async (make: Make) => ({
  siteId: (await make("POST", `/orgs/${await organizationOf(make)}/sites`, { title: "Fresh" })).id,
});
export const newShareLink = async (make: Make) => {
  const { siteId } = await newSite(make);
  const path = `/orgs/${await organizationOf(make)}/sites/${siteId}/share-links`;
  return { siteId, shareLinkId: (await make("POST", path, { name: "Fresh" })).id };
};
export const newRedirect = async (make: Make) => {
  const { siteId } = await newSite(make);
  const path = `/orgs/${await organizationOf(make)}/sites/${siteId}/redirects`;
  const redirect = { source: "/former", destination: { kind: "path", path: "/new" } };
  return { siteId: siteId!, siteRedirectId: (await make("POST", path, redirect)).id };
};
/** A site whose readers were shown two releases, and a third one that they were not. */
export const newRelease = async (make: Make) => {
  const spaces = [(await newSpace(make)).spaceId];
  const sites = `/orgs/${await organizationOf(make)}/sites`;
  const siteId = (await make("POST", sites, { title: "Fresh", spaces })).id;
  const path = `${sites}/${siteId}/releases`;
  for (const title of ["First", "Second"]) await make("POST", path, { title, pin: true });
  return { siteId, siteReleaseId: (await make("POST", path, { title: "Third" })).id };
};
/** A site of two sections, the second of which lies in a group. */
export const newSection = async (make: Make) => {
  const { siteId } = await newSite(make);
  const path = `/orgs/${await organizationOf(make)}/sites/${siteId}`;
  const section = async () =>
    make<{ id: string; siteSpaces: { id: string }[] }>("POST", `${path}/sections`, await newSpace(make));
  await section();
  const { id: siteSectionId, siteSpaces } = await section();
  const group = { title: "Fresh", sections: [siteSectionId] };
  const { id: siteSectionGroupId } = await make("POST", `${path}/section-groups`, group);
  return { siteId: siteId!, siteSectionId, siteSectionGroupId, siteSpaceId: siteSpaces[0]!.id };
};
export const newMcpServer = async (make: Make, of?: string) => {
  const siteId = of ?? (await newSite(make)).siteId!;
  const path = `/orgs/${await organizationOf(make)}/sites/${siteId}/mcp-servers`;
  const server = { name: "Fresh", url: "https://mcp.example.com", headers: {} };
  return { siteId, siteMcpServerId: (await make("POST", path, server)).id };
};
export const newFont = async (make: Make) => {
  const fontFaces = [{ weight: 400, sources: [{ url: "https://fonts.example.com/a.woff2" }] }];
  const path = `/orgs/${await organizationOf(make)}/fonts`;
  return { fontId: (await make("PUT", path, { fontFamily: "Fresh", fontFaces })).id };
};
let hostnames = Date.now();
export const newHostname = async (make: Make) => {
  const { siteId } = await newSite(make);
  const hostname = `docs.fresh-${++hostnames}.example`;
  await make("PATCH", `/orgs/${await organizationOf(make)}/sites/${siteId}`, { hostname });
  return { siteId, hostname };
};
/** A site that is published with a space, and its address. */
export const newPublishedSite = async (make: Make) => {
  const sites = `/orgs/${await organizationOf(make)}/sites`;
  const { spaceId } = await newSpace(make);
  const { id: siteId } = await make("POST", sites, { title: "Fresh", spaces: [spaceId] });
  const published = await make<{ urls: { published: string } }>("POST", `${sites}/${siteId}/publish`);
  return { siteId, spaceId, address: published.urls.published };
};
export const newTeam = async (make: Make) => ({
  teamId: (await make("PUT", `/orgs/${await organizationOf(make)}/teams`, { title: "Fresh" })).id,
});
export const newProvider = async (make: Make) => ({
  samlProviderId: (await make("POST", `/orgs/${await organizationOf(make)}/saml`, { label: "Fresh" })).id,
});
export const newAccount = async (make: Make) => {
  const path = `/orgs/${await organizationOf(make)}/service-accounts`;
  return { serviceAccountId: (await make("POST", path, { title: "Fresh", role: "read" })).id };
};
export const newLink = async (make: Make) => ({
  inviteId: (await make("POST", `/orgs/${await organizationOf(make)}/link-invites`, { role: "read" })).id,
});
export const newToken = async (make: Make) => {
  const userId = (await make("GET", "/user")).id;
  const path = `/orgs/${await organizationOf(make)}/members/${userId}/tokens`;
  return { userId, tokenId: (await make("POST", path, { label: "Fresh" })).id };
};
export const newTranslation = async (make: Make) => {
  const { spaceId } = await newSpace(make);
  const wanted = { source: { space: spaceId, language: "en" }, language: "de" };
  const { id } = await make("POST", `/orgs/${await organizationOf(make)}/translations`, wanted);
  return { translationId: id };
};
/** A name that nothing has, in none of the test files that run at the same time. */
export const freshSlug = () => `fresh-${randomBytes(6).toString("hex")}`;
const minimal = { openapi: "3.0.3", info: { title: "Fresh", version: "1" }, paths: {} };
export const newSpec = async (make: Make) => {
  const slug = freshSlug();
  const source = { text: JSON.stringify(minimal) };
  await make("POST", `/orgs/${await organizationOf(make)}/openapi`, { slug, source });
  return { specSlug: slug };
};
export const newIntegration = async (make: Make) => {
  const integrationName = freshSlug();
  const organization = await organizationOf(make);
  const words = { title: "Fresh", description: "Fresh", scopes: [], script: "1", organization };
  await make("POST", `/integrations/${integrationName}`, words);
  return { integrationName };
};
/** An installation on a space or a site of the organization that is there already. */
export const newContentInstallation = (kind: "spaces" | "sites") => async (make: Make) => {
  const { integrationName, installationId } = await newInstallation(make);
  const { spaceId } = await newSpace(make);
  const { siteId } = await newSite(make);
  const body = kind === "spaces" ? { space: spaceId } : { siteId };
  await make("POST", `/integrations/${integrationName}/installations/${installationId}/${kind}`, body);
  return { integrationName, installationId, spaceId, siteId };
};
export const newInstallation = async (make: Make) => {
  const { integrationName } = await newIntegration(make);
  const organization = await organizationOf(make);
  const { id } = await make("POST", `/integrations/${integrationName}/installations`, { organization });
  return { integrationName, installationId: id };
};
