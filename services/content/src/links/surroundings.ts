import { can } from "@octavo/shared/access";
import { found } from "@octavo/shared/errors";
import { levelOn } from "../access/level.js";
import { changeRequestById } from "../change-requests/queries.js";
import { view as changeRequestView } from "../change-requests/view.js";
import * as collectionQueries from "../collections/queries.js";
import { view as collectionView } from "../collections/view.js";
import { revisionHead } from "../content/revision-head.js";
import type { Scope } from "../content/scope.js";
import { downloadOf } from "../files/download-url.js";
import * as spaceQueries from "../spaces/queries.js";
import { view as spaceView } from "../spaces/view.js";
import type { Ctx } from "../trpc.js";
import { linesOf } from "./paths.js";
import type { Link } from "./queries.js";
import type { Surroundings } from "./view.js";

/** Looks up what one page of a list is shown with; as many queries for a thousand links as for one. */
export async function surroundingsOf(
  ctx: Ctx,
  scope: Scope,
  sources: string[],
  links: Link[] = [],
): Promise<Surroundings> {
  const { version, changeRequest } = scope;
  const inside = [...sources, ...links.flatMap(({ leads }) => leads ?? [])];
  const named = (kind: string) => [
    ...new Set(links.flatMap((link) => (link.kind === kind ? (link.target ?? []) : []))),
  ];
  const elsewhere = links.flatMap(({ target_space }) => target_space ?? []);
  const spaceRows = await spaceQueries.findAll(ctx, [
    ...new Set([scope.space, ...named("space"), ...elsewhere]),
  ]);
  const collectionRows = await collectionQueries.findAll(ctx, named("collection"));
  const readable = [...spaceRows, ...collectionRows].filter((row) => seen(ctx, row));
  const owners = [...new Set([scope.organization, ...readable.map(({ organization }) => organization)])];
  const [organizations, users] = await Promise.all([
    ctx.orgs.organizations(ctx, owners),
    named("user").length > 0 ? ctx.orgs.users(ctx, named("user")) : [],
  ]);
  const owner = new Map(organizations.map((one) => [one.id, one]));
  const spaces = new Map(
    spaceRows
      .filter((row) => seen(ctx, row))
      .flatMap((row) => {
        const organization = owner.get(row.organization);
        return organization ? [[row.id, { organization, space: spaceView(ctx)(row) }] as const] : [];
      }),
  );
  const collections = new Map(
    collectionRows
      .filter((row) => seen(ctx, row))
      .flatMap((row) => {
        const organization = owner.get(row.organization);
        return organization
          ? [[row.id, { organization, collection: collectionView(ctx)(row) }] as const]
          : [];
      }),
  );
  const { organization, space } = found(spaces.get(scope.space), "Space");
  return {
    urls: ctx.urls,
    version,
    organization,
    space,
    versionContext: changeRequest
      ? {
          type: "changeRequest",
          changeRequest: changeRequestView(ctx)(
            found(await changeRequestById(ctx, changeRequest.id), "Change request"),
          ),
        }
      : { type: "revision", revision: await revisionHead(ctx, scope, true) },
    download: downloadOf(ctx, scope),
    lines: await linesOf(ctx, version, inside),
    users: new Map(users.map((user) => [user.id, user])),
    spaces,
    collections,
  };
}

/** Whether the caller may read a space or collection. */
const seen = (ctx: Ctx, row: Parameters<typeof levelOn>[1]) =>
  can(levelOn(ctx.caller, row), { view: "read" }).view;
