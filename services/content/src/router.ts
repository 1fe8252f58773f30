import { audience } from "./audience/router.js";
import { changeRequests } from "./change-requests/router.js";
import { changes } from "./changes/router.js";
import { collections } from "./collections/router.js";
import { changeRequestComments, spaceComments } from "./comments/router.js";
import { changeRequestContent, documentsOfSpaces, revisionContent, spaceContent } from "./content/router.js";
import { contributors } from "./contributors/router.js";
import { DOWNLOAD } from "./files/download.js";
import { git } from "./git/router.js";
import { collectionGrants, spaceGrants } from "./grants/router.js";
import { linkInvites } from "./link-invites/router.js";
import { changeRequestLinks, links } from "./links/router.js";
import { requestedReviewers } from "./requested-reviewers/router.js";
import { reviews } from "./reviews/router.js";
import { search } from "./search/router.js";
import { spaces } from "./spaces/router.js";
import { router as mount } from "./trpc.js";

export const router = mount({
  collections,
  collectionGrants,
  spaces,
  spaceGrants,
  linkInvites,
  audience,
  content: spaceContent,
  documents: documentsOfSpaces,
  changeRequests,
  reviews,
  requestedReviewers,
  contributors,
  changeRequestContent,
  changes,
  revisions: revisionContent,
  comments: spaceComments,
  changeRequestComments,
  links,
  changeRequestLinks,
  search,
  git,
});
export type ContentRouter = typeof router;

/** What streams bytes and is answered without a token. */
export const rawRoutes = [DOWNLOAD];
