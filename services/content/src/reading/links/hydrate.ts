import { found } from "@octavo/shared/errors";
import * as collectionQueries from "../../access/collections.js";
import { downloadOf } from "../../files/download-url.js";
import { view as collectionView } from "../../library/collections/view.js";
import { view as spaceView } from "../../library/spaces/view.js";
import { ancestorsInOtherSpaces, type Located } from "../../references/addressed.js";
import { withAncestorsOf } from "../../references/paths.js";
import { changeRequestById } from "../../review/change-requests/queries.js";
import { view as changeRequestView } from "../../review/change-requests/view.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import { revisionHead, revisionHeads } from "../content/revision-head.js";
import type { Link } from "./queries.js";
import { isReadable, readableSpaces } from "./readable.js";
import type { Owned, Surroundings, Within } from "./view.js";

/** Looks up what one page of a list is shown with; as many queries for a thousand links as for one. */
export async function hydrateLinks(
  ctx: Ctx,
  scope: ResolvedTarget,
  sources: Located[],
  links: Link[] = [],
): Promise<Surroundings> {
  const targets = links.flatMap(({ leads, elsewhere, target_space }): Located[] =>
    leads === null ? [] : [{ id: leads, space: elsewhere ? target_space! : scope.space }],
  );
  const located = [...sources, ...targets];
  const idsOf = (kind: string) => [
    ...new Set(links.flatMap((link) => (link.kind === kind ? (link.target ?? []) : []))),
  ];
  const spaceIds = [scope.space, ...located.map(({ space }) => space), ...links.flatMap(spaceOf)];
  const spaceRows = await readableSpaces(ctx, [...new Set(spaceIds)]);
  const collectionRows = (await collectionQueries.findAll(ctx, idsOf("collection"))).filter((row) =>
    isReadable(ctx, row),
  );
  const owners = [...spaceRows, ...collectionRows].map(({ organization }) => organization);
  const [organizations, users] = await Promise.all([
    ctx.orgs.organizations(ctx, [...new Set([scope.organization, ...owners])]),
    idsOf("user").length > 0 ? ctx.orgs.users(ctx, idsOf("user")) : [],
  ]);
  const owner = new Map(organizations.map((one) => [one.id, one]));
  const spaces = new Map<string, Owned<"space">>();
  for (const row of spaceRows) {
    const organization = owner.get(row.organization);
    if (organization) spaces.set(row.id, { organization, space: spaceView(ctx)(row) });
  }
  const collections = new Map<string, Owned<"collection">>();
  for (const row of collectionRows) {
    const organization = owner.get(row.organization);
    if (organization) collections.set(row.id, { organization, collection: collectionView(ctx)(row) });
  }
  return {
    urls: ctx.urls,
    within: await placesOf(ctx, scope, located, spaces),
    users: new Map(users.map((user) => [user.id, user])),
    spaces,
    collections,
  };
}

const spaceOf = ({ target_space }: Link) => target_space ?? [];

/** Where the entries lie: in the version that was asked about, or in the primary content of other spaces. */
async function placesOf(
  ctx: Ctx,
  scope: ResolvedTarget,
  located: Located[],
  spaces: Map<string, Owned<"space">>,
): Promise<Map<string, Within>> {
  const { version } = scope;
  const inside = located.filter(({ space }) => space === scope.space);
  const outside = located.filter(({ space }) => space !== scope.space && spaces.has(space));
  const within = new Map<string, Within>();
  within.set(scope.space, {
    ...found(spaces.get(scope.space), "Space"),
    version,
    versionContext: await versionContextOf(ctx, scope),
    download: downloadOf(ctx, scope),
    lines: await withAncestorsOf(
      ctx,
      version,
      inside.map(({ id }) => id),
    ),
  });
  if (outside.length === 0) return within;
  const lines = await ancestorsInOtherSpaces(ctx, outside);
  const heads = [...lines.keys()].map((id) => ({ space: id, revision: spaces.get(id)!.space.revision }));
  const revisions = await revisionHeads(ctx, heads, true);
  for (const { space, revision } of heads) {
    const head = revisions.get(revision);
    within.set(space, {
      ...spaces.get(space)!,
      version: { space, branch: space, revision },
      versionContext: head && { type: "revision", revision: head },
      download: downloadOf(ctx, { space }),
      lines: lines.get(space)!,
    });
  }
  return within;
}

async function versionContextOf(ctx: Ctx, scope: ResolvedTarget): Promise<Within["versionContext"]> {
  if (!scope.changeRequest) return { type: "revision", revision: await revisionHead(ctx, scope, true) };
  const row = found(await changeRequestById(ctx, scope.changeRequest.id), "Change request");
  return { type: "changeRequest", changeRequest: changeRequestView(ctx)(row) };
}
