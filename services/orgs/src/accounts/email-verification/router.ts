import { get, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Confirm, Confirmed, Get, Send, Sent, State } from "./schema.js";

const VERIFICATION = "/user/email/verification";

export const emailVerification = router({
  get: get(VERIFICATION, {
    operationId: "getUserEmailVerification",
    summary: "Tell whether your e-mail address is verified",
  })
    .input(Get)
    .output(State)
    .query(rules.get),
  send: post(VERIFICATION, {
    status: 200,
    operationId: "sendUserEmailVerification",
    summary: "Send a code to your e-mail address",
  })
    .input(Send)
    .output(Sent)
    .mutation(rules.send),
  confirm: post(`${VERIFICATION}/confirm`, {
    status: 200,
    operationId: "confirmUserEmailVerification",
    summary: "Verify your e-mail address by the code that was sent to it",
  })
    .input(Confirm)
    .output(Confirmed)
    .mutation(rules.confirm),
});
