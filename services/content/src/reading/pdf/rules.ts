import { found, refuseAt } from "@octavo/shared/errors";
import type { z } from "zod";
import { resolveTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import { type Edition, pdfUrl } from "./address.js";
import { chosen, refuseTooMuch } from "./choose.js";
import * as queries from "./queries.js";
import type { GetChangeRequestPdf, GetPdf } from "./schema.js";

type Input = z.ZodType<z.output<typeof GetPdf> & Partial<z.output<typeof GetChangeRequestPdf>>>;

/**
 * Returns the signed address of the PDF of a space or a change request as it is now, or of a page. It is made when it is
 * fetched. 404 for an unknown page, 400 for `only` without one, 413 when it would be too large.
 */
export async function get({ ctx, input }: Call<Input>) {
  const { page, only } = input;
  if (only && page === undefined) refuseAt("query.only", "needs `page`");
  const { space, version } = await resolveTarget(ctx, input);
  const edition: Edition = { space, revision: version.revision, ...(page !== undefined && { page }), only };
  const pages = found(chosen(await queries.pages(ctx, version), edition), "Page");
  await refuseTooMuch(ctx, space, pages);
  const { title } = found(await queries.about(ctx, edition), "Space");
  return { url: pdfUrl(ctx, edition, title) };
}
