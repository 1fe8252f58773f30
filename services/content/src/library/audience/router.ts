import { z } from "zod";
import { internal, router, service } from "../../trpc.js";
import { hears, standing } from "./rules.js";
import { Hears, Standing, Stood } from "./schema.js";

export const audience = router({
  standing: internal({ services: ["sites", "integrations"], permission: "organization.view" })
    .input(Standing)
    .output(Stood)
    .query(standing),
  hears: service("sites").input(Hears).output(z.boolean()).query(hears),
});
