import { computed } from "./computed/router.js";
import { DOWNLOAD } from "./files/download.js";
import { git } from "./git/router.js";
import { gitSync } from "./git/sync/router.js";
import { WEBHOOK } from "./git/sync/webhook.js";
import { changeRequestImport, imports, spaceImport } from "./import/router.js";
import { audience } from "./library/audience/router.js";
import { collections } from "./library/collections/router.js";
import { collectionGrants, spaceGrants } from "./library/grants/router.js";
import { linkInvites } from "./library/link-invites/router.js";
import { spaces } from "./library/spaces/router.js";
import { changeRequestContent, revisionContent, spaceContent } from "./reading/content/router.js";
import { documents } from "./reading/documents/router.js";
import { embeds } from "./reading/embeds/router.js";
import { changeRequestLinks, links } from "./reading/links/router.js";
import { PDF } from "./reading/pdf/download.js";
import { changeRequestPdf, pdf } from "./reading/pdf/router.js";
import { PUBLISHED_FILE } from "./reading/published-files/download.js";
import { publishedFiles } from "./reading/published-files/router.js";
import { search } from "./reading/search/router.js";
import { shownPages } from "./reading/shown-pages/router.js";
import { urls } from "./reading/urls/router.js";
import { changeRequests } from "./review/change-requests/router.js";
import { changes } from "./review/changes/router.js";
import { changeRequestComments, spaceComments } from "./review/comments/router.js";
import { contributors } from "./review/contributors/router.js";
import { requestedReviewers } from "./review/requested-reviewers/router.js";
import { reviews } from "./review/reviews/router.js";
import { openapi } from "./specs/openapi/router.js";
import { shownOperations } from "./specs/shown/router.js";
import { DOCUMENT, PUBLISHED } from "./specs/versions/download.js";
import { openapiVersions } from "./specs/versions/router.js";
import { templates } from "./templates/router.js";
import { translations } from "./translations/translations/router.js";
import { translationsGlossary } from "./translations/translations-glossary/router.js";
import { router as mount } from "./trpc.js";
import { STORED_FILE } from "./uploads/storage/download.js";
import { RECEIVE } from "./uploads/storage/receive.js";
import { storage } from "./uploads/storage/router.js";

export const router = mount({
  collections,
  collectionGrants,
  spaces,
  spaceGrants,
  linkInvites,
  audience,
  content: spaceContent,
  computed,
  documents,
  changeRequests,
  reviews,
  requestedReviewers,
  contributors,
  changeRequestContent,
  changes,
  revisionContent,
  comments: spaceComments,
  changeRequestComments,
  links,
  changeRequestLinks,
  pdf,
  changeRequestPdf,
  publishedFiles,
  search,
  embeds,
  urls,
  git,
  gitSync,
  contentImport: spaceImport,
  changeRequestImport,
  imports,
  openapi,
  openapiVersions,
  shownOperations,
  shownPages,
  storage,
  templates,
  translations,
  translationsGlossary,
});
export type ContentRouter = typeof router;

/** Routes that stream bytes and are served without a token. */
export const rawRoutes = [DOWNLOAD, PUBLISHED_FILE, PDF, WEBHOOK, PUBLISHED, DOCUMENT, RECEIVE, STORED_FILE];
