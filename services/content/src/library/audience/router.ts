import { internal, router } from "../../trpc.js";
import { standing } from "./rules.js";
import { Standing, Stood } from "./schema.js";

export const audience = router({
  standing: internal({ services: ["sites", "integrations"], permission: "organization.view" })
    .input(Standing)
    .output(Stood)
    .query(standing),
});
