import { defineJob } from "@octavo/shared/jobs/define";
import { z } from "zod";

/** Sends one delivery once; whether it is tried again at its receiver is decided by what came of it. */
export const sendDelivery = defineJob("webhooks.send", z.object({ delivery: z.string() }), { attempts: 20 });
