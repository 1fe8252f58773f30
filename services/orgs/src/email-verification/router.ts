import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Confirm, Confirmed, Get, Send, Sent, State } from "./schema.js";

const VERIFICATION = "/user/email/verification";

export const emailVerification = router({
  get: get(VERIFICATION, { operationId: "getUserEmailVerification" })
    .input(Get)
    .output(State)
    .query(rules.get),
  send: post(VERIFICATION, { status: 200, operationId: "sendUserEmailVerification" })
    .input(Send)
    .output(Sent)
    .mutation(rules.send),
  confirm: post(`${VERIFICATION}/confirm`, { status: 200, operationId: "confirmUserEmailVerification" })
    .input(Confirm)
    .output(Confirmed)
    .mutation(rules.confirm),
});
