// Who may do what: every operation of the gateway's table, and the least that it takes.

import {
  collections,
  commentsUnder,
  contentUnder,
  linksUnder,
  openapi,
  permissionsUnder,
  spaces,
  translations,
} from "./permissions/content.js";
import { integrations } from "./permissions/integrations.js";
import { members, organizations } from "./permissions/organizations.js";
import { on, one, seen, type Table } from "./permissions/permission.js";
import { sites } from "./permissions/sites.js";

export { type Ids, type Make, makerOf, type Permission } from "./permissions/permission.js";

/** By method and path below `/v1`. What needs no token at all is not among them. */
export const permissions: Table = {
  ...organizations,
  ...members,
  ...collections,
  ...spaces,
  ...contentUnder(`${one.space}/content`, seen),
  ...linksUnder(one.space),
  ...linksUnder(one.changeRequest),
  [`GET ${one.space}/documents/{documentId}`]: on("read"),
  ...contentUnder(`${one.space}/revisions/{revisionId}`),
  ...contentUnder(`${one.changeRequest}/content`),
  ...commentsUnder(one.space, ""),
  ...commentsUnder(one.changeRequest, "changeRequest"),
  ...permissionsUnder("space"),
  ...permissionsUnder("collection"),
  ...openapi,
  ...translations,
  ...sites,
  ...integrations,
};
