import { SiteDeleted, SiteVisitorAuth } from "@octavo/shared/events/catalogue/sites";
import { createListener } from "@octavo/shared/events/listen";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

const on = createListener<Ctx>();

export const listeners = [
  on(SiteVisitorAuth, ({ ctx, payload: { site, organization, privateKey: private_key } }) =>
    queries.keep(ctx, { site, organization, private_key }),
  ),
  on(SiteDeleted, ({ ctx, payload: { site } }) => queries.drop(ctx, site)),
];
