import type { Space } from "@octavo/shared/contracts/schemas/space";

/** A space as visitors see it, of one that the service itself was given: nothing of the work that goes on in it. */
export const asVisitorsSee = ({ urls, permissions, ...space }: Space): Space => ({
  ...space,
  parent: undefined,
  gitSync: undefined,
  defaultLevel: null,
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
  urls: { ...urls, published: undefined, public: undefined },
  permissions: {
    // Cast: the same names with other values.
    ...(Object.fromEntries(Object.keys(permissions).map((name) => [name, false])) as typeof permissions),
    view: true,
  },
});
