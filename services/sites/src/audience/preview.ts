import type { Belonging } from "@octavo/shared/contracts/belonging";
import { z } from "zod";
import type { Claims } from "../claims/claims.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** How long a preview can be opened. Source: previews of the interface. */
const LIFE_MS = 3_600_000;
/** Characters of the longest token. */
const LONGEST = 16_384;

type Owner = Pick<Site, "id" | "organization">;

/** To whom a preview shows a site: to whoever has it, as to a visitor with these claims. */
export interface Preview {
  claims: Claims;
}

const sealed = z.object({
  claims: z.record(z.string(), z.unknown()),
  until: z.number(),
});

const belonging = ({ id, organization }: Owner): Belonging => ({ kind: "site.preview", id, organization });

/** Seals a preview of a site as a token for an address; it opens for one hour and for this site alone. */
export const sealPreview = ({ vault, clock }: Ctx, site: Owner, preview: Preview): string =>
  vault.seal(JSON.stringify({ ...preview, until: clock().getTime() + LIFE_MS }), belonging(site));

/** Opens a token of `sealPreview`; undefined when it is none, of another site, or over. */
export function openPreview({ vault, clock }: Ctx, site: Owner, token: string): Preview | undefined {
  if (token.length > LONGEST) return undefined;
  try {
    const { until, ...preview } = sealed.parse(JSON.parse(vault.open(token, belonging(site))));
    return until > clock().getTime() ? preview : undefined;
  } catch {
    return undefined;
  }
}
