import { newShareLink, newSite, newSpace } from "./fresh.js";
import { here, one, org, type Table } from "./permission.js";

export const sites: Table = {
  [`GET ${org}/sites`]: here("read"),
  [`POST ${org}/sites`]: here("create"),
  [`GET ${one.site}`]: here("read"),
  [`PATCH ${one.site}`]: here("create"),
  [`DELETE ${one.site}`]: { ...here("create"), fresh: newSite },
  [`POST ${one.site}/publish`]: here("create"),
  [`POST ${one.site}/unpublish`]: { ...here("create"), fresh: newSite },
  [`GET ${one.site}/publishing/auth`]: here("create"),
  [`PATCH ${one.site}/publishing/auth`]: here("create"),
  [`POST ${one.site}/publishing/auth/regenerate`]: here("create"),
  [`GET ${one.site}/permissions/aggregate`]: here("read"),
  [`GET ${one.site}/publishing/preview`]: here("create"),
  [`GET ${one.site}/share-links`]: here("create"),
  [`POST ${one.site}/share-links`]: here("create"),
  [`PATCH ${one.site}/share-links/{shareLinkId}`]: here("create"),
  [`DELETE ${one.site}/share-links/{shareLinkId}`]: { ...here("create"), fresh: newShareLink },
  [`GET ${one.site}/adaptive-schema`]: here("read"),
  [`PUT ${one.site}/adaptive-schema`]: here("create"),
  [`GET ${one.site}/adaptive-schema/template-conditions`]: here("read"),
  [`GET ${one.site}/published`]: here("read"),
  [`GET ${one.site}/site-spaces`]: here("read"),
  [`POST ${one.site}/site-spaces`]: {
    ...here("create"),
    fresh: async (make) => ({ ...(await newSite(make)), ...(await newSpace(make)) }),
    body: ({ spaceId }) => ({ spaceId }),
  },
};
