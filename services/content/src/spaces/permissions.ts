/** What each thing one may do with a space needs: it guards the operations and fills `permissions`. */
export const NEEDS = {
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
