import type { Integration } from "../integrations/schema.js";
import type { Scope } from "../schemas/manifest.js";
import * as queries from "../store/integrations.js";
import type { Ctx } from "../trpc.js";

type Policy = NonNullable<Integration["contentSecurityPolicy"]>;

/** A script that an integration has put into the pages of a site. */
export interface InjectedScript {
  script: string;
  contentSecurityPolicy?: string;
  cookies: boolean;
}

/** The scripts that the integrations at work at a place put into its pages, by their names. */
export async function scriptsAt(ctx: Ctx, place: queries.ContentTarget): Promise<InjectedScript[]> {
  const { api } = ctx.urls;
  const scope = (what: "inject" | "cookies") => `${place.kind}:script:${what}` as Scope;
  const rows = await queries.injectingAt(ctx, place, scope("inject"));
  return rows.map(({ name, installation, scopes, content_security_policy: policy }) => {
    const installed = api`/integrations/${name}/installations/${installation}`;
    return {
      script: `${installed}/${place.kind}s/${encodeURIComponent(place.content)}/script`,
      ...(policy && { contentSecurityPolicy: policyText(policy) }),
      cookies: scopes.includes(scope("cookies")),
    };
  });
}

/** A content security policy as the value of its header. */
export const policyText = (policy: Policy): string =>
  typeof policy === "string"
    ? policy
    : Object.entries(policy)
        .map(([directive, value]) => `${directive} ${value}`.trim())
        .join("; ");
