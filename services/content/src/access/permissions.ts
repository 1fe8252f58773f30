/** What each thing one may do with a space needs: it guards the operations and fills `permissions`. */
export const SPACE_PERMISSIONS = {
  view: "read",
  access: "read",
  comment: "comment",
  edit: "edit",
  merge: "review",
  review: "review",
  admin: "create",
  viewInviteLinks: "create",
  triggerGitSync: "create",
  installIntegration: "create",
} as const;

/** What each thing one may do with a collection needs: it guards the operations and fills `permissions`. */
export const COLLECTION_PERMISSIONS = {
  view: "read",
  admin: "create",
  viewInviteLinks: "create",
  create: "create",
} as const;
