import { createAudit } from "@octavo/shared/audit";
import type { Ctx } from "./trpc.js";

/** Records a write of this service, inside its transaction. An integration is named as in its address. */
export const audit = createAudit<Ctx>("integrations");
