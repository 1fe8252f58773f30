import { noContent } from "@octavo/shared/fields";
import { del, get, post, router, service } from "../trpc.js";
import * as memberRules from "./member-rules.js";
import * as rules from "./rules.js";
import {
  Create,
  CreatedToken,
  CreateForMember,
  Get,
  GetOfMember,
  List,
  ListOfMember,
  Resolve,
  Resolved,
  Token,
  Tokens,
} from "./schema.js";

const MEMBER_TOKENS = "/orgs/{organizationId}/members/{userId}/tokens";

export const tokens = router({
  list: get("/user/tokens", { operationId: "listUserTokens" }).input(List).output(Tokens).query(rules.list),
  create: post("/user/tokens", { operationId: "createUserToken" })
    .input(Create)
    .output(CreatedToken)
    .mutation(rules.create),
  get: get("/user/tokens/{tokenId}", { operationId: "getUserToken" })
    .input(Get)
    .output(Token)
    .query(rules.get),
  revoke: del("/user/tokens/{tokenId}", { operationId: "revokeUserToken" })
    .input(Get)
    .output(noContent)
    .mutation(rules.revoke),
  listOfMember: get(MEMBER_TOKENS, { operationId: "listMemberTokens" })
    .input(ListOfMember)
    .output(Tokens)
    .query(memberRules.list),
  createForMember: post(MEMBER_TOKENS, { operationId: "createMemberToken" })
    .input(CreateForMember)
    .output(CreatedToken)
    .mutation(memberRules.create),
  getOfMember: get(`${MEMBER_TOKENS}/{tokenId}`, { operationId: "getMemberToken" })
    .input(GetOfMember)
    .output(Token)
    .query(memberRules.get),
  revokeOfMember: del(`${MEMBER_TOKENS}/{tokenId}`, { operationId: "revokeMemberToken" })
    .input(GetOfMember)
    .output(noContent)
    .mutation(memberRules.revoke),
  resolve: service.input(Resolve).output(Resolved).query(rules.resolve),
});
