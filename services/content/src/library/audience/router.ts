import { z } from "zod";
import { internal, router, service, shown } from "../../trpc.js";
import { digest, hears, standing } from "./rules.js";
import { Hears, Standing, Stood } from "./schema.js";

/** A digest tells that something changed, not what. */
const OF_VISITORS = { none: "it is for visitors of the site" };

export const audience = router({
  standing: internal({ services: ["sites", "integrations"], permission: "organization.view" })
    .input(Standing)
    .output(Stood)
    .query(standing),
  hears: service("sites").input(Hears).output(z.boolean()).query(hears),
  digest: shown({ services: [], permission: OF_VISITORS }).output(z.string()).query(digest),
});
