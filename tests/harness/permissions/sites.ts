import { newSite, newSpace } from "./fresh.js";
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
  [`GET ${one.site}/published`]: here("read"),
  [`GET ${one.site}/site-spaces`]: here("read"),
  [`POST ${one.site}/site-spaces`]: {
    ...here("create"),
    fresh: async (make) => ({ ...(await newSite(make)), ...(await newSpace(make)) }),
    body: ({ spaceId }) => ({ spaceId }),
  },
};
