/** What each thing one may do with a collection needs: it guards the operations and fills `permissions`. */
export const NEEDS = { view: "read", admin: "create", viewInviteLinks: "create", create: "create" } as const;
