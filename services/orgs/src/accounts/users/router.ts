import { ANYBODY, OWN_ACCOUNT } from "@octavo/shared/rest/permission";
import { get, internal, patch, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Get, GetById, Lookup, Update, User } from "./schema.js";

export const users = router({
  get: get("/user", {
    operationId: "getAuthenticatedUser",
    permission: OWN_ACCOUNT,
    summary: "Get the user whose token this is",
  })
    .input(Get)
    .output(User)
    .query(rules.get),
  getById: get("/users/{userId}", {
    operationId: "getUserById",
    permission: { none: "whoever meets the user in an organization may, guests no other than themselves" },
    summary: "Get a user",
  })
    .input(GetById)
    .output(User)
    .query(rules.getById),
  update: patch("/users/{userId}", {
    operationId: "updateUserById",
    permission: OWN_ACCOUNT,
    summary: "Change your profile",
  })
    .input(Update)
    .output(User)
    .mutation(rules.update),
  lookup: internal({
    services: ["content"],
    permission: ANYBODY,
    also: "Addresses are for who meets the user in an organization.",
  })
    .input(Lookup)
    .output(User.array())
    .query(rules.lookup),
});
