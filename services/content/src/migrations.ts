import * as content from "./migrations/0001-content.js";
import * as comments from "./migrations/0002-comments.js";
import * as reviews from "./migrations/0003-reviews.js";
import * as changes from "./migrations/0004-changes.js";
import * as links from "./migrations/0005-links.js";
import * as search from "./migrations/0006-search.js";
import * as storage from "./migrations/0007-storage.js";
import * as grantCounts from "./migrations/0009-grant-counts.js";
import * as departures from "./migrations/0010-departures.js";
import * as waitingTerms from "./migrations/0011-waiting-terms.js";
import * as searchSample from "./migrations/0012-search-sample.js";
import * as askedMembers from "./migrations/0013-asked-members.js";
import * as nodePreviews from "./migrations/0014-node-previews.js";
import * as linksBetweenSpaces from "./migrations/0016-links-between-spaces.js";
import * as resolvedComments from "./migrations/0018-resolved-comments.js";
import * as visitorAuth from "./migrations/0019-visitor-auth.js";
import * as importStaging from "./migrations/0020-import-staging.js";
import * as sampleOfOrganizations from "./migrations/0023-sample-of-organizations.js";
import * as listedComments from "./migrations/0030-listed-comments.js";
import * as searchNames from "./migrations/0031-search-names.js";
import * as importOutcomes from "./migrations/0040-import-outcomes.js";
import * as prunedRows from "./migrations/0041-pruned-rows.js";
import * as signedEvents from "./migrations/0042-signed-events.js";
import * as clearedOutlines from "./migrations/0043-cleared-outlines.js";
import * as outlineReadings from "./migrations/0044-outline-readings.js";
import * as shareKeys from "./migrations/0047-share-keys.js";
import * as gitExport from "./migrations/0048-git-export.js";
import * as openapiSpecs from "./migrations/0052-openapi-specs.js";
import * as translations from "./migrations/0053-translations.js";
import * as gitSync from "./migrations/0054-git-sync.js";
import * as audienceEpoch from "./migrations/0056-audience-epoch.js";
import * as skewedBranches from "./migrations/0057-skewed-branches.js";
import * as contentImports from "./migrations/0058-content-imports.js";
import * as pausedSyncs from "./migrations/0059-paused-syncs.js";
import * as referencesToSpecs from "./migrations/0060-references-to-specs.js";
import * as gitReadings from "./migrations/0061-git-readings.js";
import * as audienceRevision from "./migrations/0062-audience-revision.js";
import * as audienceAddresses from "./migrations/0063-audience-addresses.js";
import * as syncConflicts from "./migrations/0064-sync-conflicts.js";
import * as computedPages from "./migrations/0065-computed-pages.js";
import * as computedResults from "./migrations/0066-computed-results.js";
import * as searchPending from "./migrations/0067-search-pending.js";
import * as storageUploads from "./migrations/0068-storage-uploads.js";
import * as computedFiles from "./migrations/0069-computed-files.js";
import * as formerPaths from "./migrations/0070-former-paths.js";
import * as gitRedirects from "./migrations/0071-git-redirects.js";
import * as sectionDigests from "./migrations/0072-section-digests.js";
import * as fileSpecifications from "./migrations/0073-file-specifications.js";

/** Applied in order of their names; forward only. */
export const migrations = {
  "0001-content": content,
  "0002-comments": comments,
  "0003-reviews": reviews,
  "0004-changes": changes,
  "0005-links": links,
  "0006-search": search,
  "0007-storage": storage,
  "0009-grant-counts": grantCounts,
  "0010-departures": departures,
  "0011-waiting-terms": waitingTerms,
  "0012-search-sample": searchSample,
  "0013-asked-members": askedMembers,
  "0014-node-previews": nodePreviews,
  "0016-links-between-spaces": linksBetweenSpaces,
  "0018-resolved-comments": resolvedComments,
  "0019-visitor-auth": visitorAuth,
  "0020-import-staging": importStaging,
  "0023-sample-of-organizations": sampleOfOrganizations,
  "0030-listed-comments": listedComments,
  "0031-search-names": searchNames,
  "0040-import-outcomes": importOutcomes,
  "0041-pruned-rows": prunedRows,
  "0042-signed-events": signedEvents,
  "0043-cleared-outlines": clearedOutlines,
  "0044-outline-readings": outlineReadings,
  "0047-share-keys": shareKeys,
  "0048-git-export": gitExport,
  "0052-openapi-specs": openapiSpecs,
  "0053-translations": translations,
  "0054-git-sync": gitSync,
  "0056-audience-epoch": audienceEpoch,
  "0057-skewed-branches": skewedBranches,
  "0058-content-imports": contentImports,
  "0059-paused-syncs": pausedSyncs,
  "0060-references-to-specs": referencesToSpecs,
  "0061-git-readings": gitReadings,
  "0062-audience-revision": audienceRevision,
  "0063-audience-addresses": audienceAddresses,
  "0064-sync-conflicts": syncConflicts,
  "0065-computed-pages": computedPages,
  "0066-computed-results": computedResults,
  "0067-search-pending": searchPending,
  "0068-storage-uploads": storageUploads,
  "0069-computed-files": computedFiles,
  "0070-former-paths": formerPaths,
  "0071-git-redirects": gitRedirects,
  "0072-section-digests": sectionDigests,
  "0073-file-specifications": fileSpecifications,
};
