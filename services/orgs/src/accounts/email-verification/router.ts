import { OWN_ACCOUNT } from "@octavo/shared/rest/permission";
import { get, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Confirm, Confirmed, Get, Send, Sent, State } from "./schema.js";

const VERIFICATION = "/user/email/verification";

export const emailVerification = router({
  get: get(VERIFICATION, {
    operationId: "getUserEmailVerification",
    permission: OWN_ACCOUNT,
    summary: "Get whether your e-mail address is verified",
  })
    .input(Get)
    .output(State)
    .query(rules.get),
  send: post(VERIFICATION, {
    status: 200,
    operationId: "sendUserEmailVerification",
    permission: OWN_ACCOUNT,
    summary: "Send a code to your e-mail address",
  })
    .input(Send)
    .output(Sent)
    .mutation(rules.send),
  confirm: post(`${VERIFICATION}/confirm`, {
    status: 200,
    operationId: "confirmUserEmailVerification",
    permission: OWN_ACCOUNT,
    summary: "Verify your e-mail address by the code that was sent to it",
  })
    .input(Confirm)
    .output(Confirmed)
    .mutation(rules.confirm),
});
