import { addressesIn } from "@octavo/markdown/links/links";
import { withoutHidden } from "@octavo/markdown/text/hidden-text";
import type { ReaderCaller } from "@octavo/shared/contracts/callers";
import { found } from "@octavo/shared/errors";
import { shownLines, textShown } from "../../pages/shown-lines.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "../store/published.js";
import * as specs from "../store/specs.js";

// Specifications belong to an organization. A visitor of a site reads those that a page shows which the visitor sees.

interface Named {
  organizationId: string;
  specSlug: string;
}

/** Loads a specification that a page of the visitor's site shows to the visitor; 404 for all others. */
export async function loadShownSpec(ctx: Ctx, reader: ReaderCaller, named: Named): Promise<specs.Row> {
  const { organizationId, specSlug } = named;
  const own = reader.organization === organizationId;
  const row = own ? await specs.find(ctx, organizationId, specSlug) : undefined;
  const isShown = row !== undefined && (await isNamedOnSite(ctx, row.organization, row.slug));
  return found(isShown ? row : undefined, "OpenAPI specification");
}

async function isNamedOnSite(ctx: Ctx, organization: string, slug: string): Promise<boolean> {
  const pages = await queries.pagesNaming(ctx, organization, slug);
  const shownLine = await shownLines(ctx, pages);
  for (const page of pages) {
    const shown = shownLine(page);
    if (!shown) continue;
    const { line, inputs } = shown;
    const [{ mayHide, markdown, title }] = line;
    if (!mayHide) return true;
    const text = await textShown(ctx, markdown ?? "", { title: withoutHidden(title), inputs });
    if (text !== undefined && addressesIn(text).some(({ kind, raw }) => kind === "openapi" && raw === slug))
      return true;
  }
  return false;
}
