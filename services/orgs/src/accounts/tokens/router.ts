import { noContent } from "@octavo/shared/contracts/fields";
import { OWN_ACCOUNT } from "@octavo/shared/rest/permission";
import { del, get, post, router, service } from "../../trpc.js";
import * as memberRules from "./rules/of-member.js";
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
  list: get("/user/tokens", {
    operationId: "listUserTokens",
    permission: OWN_ACCOUNT,
    summary: "List your API tokens",
  })
    .input(List)
    .output(Tokens)
    .query(rules.list),
  create: post("/user/tokens", {
    operationId: "createUserToken",
    permission: OWN_ACCOUNT,
    summary: "Create an API token, which is shown this once",
  })
    .input(Create)
    .output(CreatedToken)
    .mutation(rules.create),
  get: get("/user/tokens/{tokenId}", {
    operationId: "getUserToken",
    permission: OWN_ACCOUNT,
    summary: "Get one of your API tokens, without its secret",
  })
    .input(Get)
    .output(Token)
    .query(rules.get),
  revoke: del("/user/tokens/{tokenId}", {
    operationId: "revokeUserToken",
    permission: OWN_ACCOUNT,
    summary: "Revoke one of your API tokens",
  })
    .input(Get)
    .output(noContent)
    .mutation(rules.revoke),
  listOfMember: get(MEMBER_TOKENS, {
    operationId: "listMemberTokens",
    permission: "organization.admin",
    summary: "List the API tokens of a member that are bound to the organization",
  })
    .input(ListOfMember)
    .output(Tokens)
    .query(memberRules.listOfMember),
  createForMember: post(MEMBER_TOKENS, {
    operationId: "createMemberToken",
    permission: "organization.admin",
    summary: "Create an API token for a member, bound to the organization",
  })
    .input(CreateForMember)
    .output(CreatedToken)
    .mutation(memberRules.createForMember),
  getOfMember: get(`${MEMBER_TOKENS}/{tokenId}`, {
    operationId: "getMemberToken",
    permission: "organization.admin",
    summary: "Get an API token of a member, without its secret",
  })
    .input(GetOfMember)
    .output(Token)
    .query(memberRules.getOfMember),
  revokeOfMember: del(`${MEMBER_TOKENS}/{tokenId}`, {
    operationId: "revokeMemberToken",
    permission: "organization.admin",
    summary: "Revoke an API token of a member",
  })
    .input(GetOfMember)
    .output(noContent)
    .mutation(memberRules.revokeOfMember),
  resolve: service("gateway").input(Resolve).output(Resolved).query(rules.resolve),
});
