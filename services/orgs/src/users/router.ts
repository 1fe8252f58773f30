import { get, internal, patch, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Get, GetById, Lookup, Update, User } from "./schema.js";

export const users = router({
  get: get("/user", { operationId: "getAuthenticatedUser" }).input(Get).output(User).query(rules.get),
  getById: get("/users/{userId}", { operationId: "getUserById" })
    .input(GetById)
    .output(User)
    .query(rules.getById),
  update: patch("/users/{userId}", { operationId: "updateUserById" })
    .input(Update)
    .output(User)
    .mutation(rules.update),
  lookup: internal.input(Lookup).output(User.array()).query(rules.lookup),
});
