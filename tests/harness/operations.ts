// Every operation of the gateway's table, and what each of its fields must refuse.

import { changeRequests, commentsUnder, ON_CHANGE_REQUEST } from "./operations/change-requests.js";
import {
  collections,
  contentUnder,
  links,
  openapi,
  permissionsUnder,
  spaces,
  translations,
} from "./operations/content.js";
import { integrations } from "./operations/integrations.js";
import type { Operation } from "./operations/operation.js";
import { orgs } from "./operations/organizations.js";
import { sites } from "./operations/sites.js";

export type { Operation };

/** By method and path below `/v1`. */
export const operations: Record<string, Operation> = {
  ...orgs,
  ...collections,
  ...spaces,
  ...contentUnder("/spaces/{spaceId}/content", { open: true }),
  "GET /urls/content": {
    query: { url: ["nowhere", "ftp://example.com", "http://example.com/%FF", "http://example.com/%00"] },
  },
  "GET /spaces/{spaceId}/documents/{documentId}": { query: { schema: ["last", ""] } },
  ...contentUnder("/spaces/{spaceId}/revisions/{revisionId}"),
  ...contentUnder("/spaces/{spaceId}/change-requests/{changeRequestId}/content"),
  ...permissionsUnder("/spaces/{spaceId}/permissions"),
  ...permissionsUnder("/collections/{collectionId}/permissions"),
  ...changeRequests,
  ...commentsUnder("/spaces/{spaceId}"),
  ...commentsUnder("/spaces/{spaceId}/change-requests/{changeRequestId}", ON_CHANGE_REQUEST),
  ...links,
  ...openapi,
  ...translations,
  ...sites,
  ...integrations,
};
