import type { Row } from "../store/content-installations.js";
import type { Ctx } from "../trpc.js";
import type { ContentKind } from "./kinds.js";
import type { SiteInstallation, SpaceInstallation } from "./schema.js";

/** Either of them; which one, the kind says. */
export type View = SpaceInstallation & SiteInstallation;

/** Rows of one kind, of the integration with this name, without asking anybody: `space` and `site` are ids. */
export const plainView = ({ urls: { api } }: Pick<Ctx, "urls">, name: string, row: Row): View => {
  const path = api`/integrations/${name}/installations/${row.installation}`;
  const location = `${path}/${row.kind}s/${encodeURIComponent(row.content)}`;
  const shown: object = {
    integration: name,
    installation: row.installation,
    status: row.status,
    configuration: row.configuration,
    externalIds: row.external_ids,
    urls: { location, publicEndpoint: `${location}/public` },
    [row.kind]: row.content,
  };
  // The key is the kind, which no type can express.
  return shown as View;
};

/**
 * The same with the spaces or sites themselves where `extended` asks for them: all of a page in one call. What the
 * caller may not see stays an id.
 */
export async function views(
  ctx: Ctx,
  kind: ContentKind,
  name: string,
  rows: Row[],
  extended: boolean,
): Promise<View[]> {
  const plain = rows.map((row) => plainView(ctx, name, row));
  if (!extended || !maySee(ctx, kind)) return plain;
  const things = await kind.lookup(ctx, [...new Set(rows.map(({ content }) => content))]);
  const known = new Map(things.map((thing) => [thing.id, thing]));
  return plain.map((item, at) => ({
    ...item,
    [kind.kind]: known.get(rows[at]!.content) ?? rows[at]!.content,
  }));
}

/** Whether the caller, if it is an integration, has the scope that such content takes. */
const maySee = ({ caller }: Ctx, { scope }: ContentKind) =>
  caller.kind !== "integration" || caller.scopes.includes(scope);
