import {
  newAccount,
  newChangeRequest,
  newCollection,
  newFont,
  newInstallation,
  newMcpServer,
  newProvider,
  newSection,
  newSpec,
  newTeam,
  newTranslation,
  newWebhook,
  organizationOf,
} from "./permissions/fresh.js";
import type { Ids, Make } from "./permissions/permission.js";

/** One thing of every kind that has others in it, with as little in them as they can have. */
export async function furnishParents(make: Make): Promise<Ids> {
  const organizationId = await organizationOf(make);
  const { spaceId, changeRequestId } = await newChangeRequest(make);
  const body = { body: { markdown: "Beside" } };
  const comment = async (base: string) => (await make("POST", `${base}/comments`, body)).id;
  const account = await newAccount(make);
  const { siteId, ...structure } = await newSection(make);
  const site = `/orgs/${organizationId}/sites/${siteId}`;
  const { siteSpaceId } = structure;
  const redirect = { source: "/former", destination: { kind: "site-space", siteSpaceId } };
  return {
    organizationId,
    spaceId,
    changeRequestId,
    ...account,
    userId: account.serviceAccountId!,
    revisionId: (await make<{ revision: string }>("GET", `/spaces/${spaceId}`)).revision,
    commentId: await comment(`/spaces/${spaceId}`),
    changeRequestCommentId: await comment(`/spaces/${spaceId}/change-requests/${changeRequestId}`),
    ...(await newCollection(make)),
    ...(await newTeam(make)),
    siteId,
    ...structure,
    siteMcpServerId: (await newMcpServer(make, siteId)).siteMcpServerId!,
    ...(await newFont(make)),
    shareLinkId: (await make("POST", `${site}/share-links`, { name: "Beside" })).id,
    siteReleaseId: (await make("POST", `${site}/releases`, { title: "Beside" })).id,
    siteRedirectId: (await make("POST", `${site}/redirects`, redirect)).id,
    ...(await newProvider(make)),
    ...(await newSpec(make)),
    ...(await newTranslation(make)),
    ...(await newInstallation(make)),
    ...(await newWebhook(make)),
  };
}
