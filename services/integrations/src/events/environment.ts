import type { DescribedContent } from "../content-installations/runtime.js";
import type { Described } from "../installations/runtime.js";
import type { Runtime } from "../integrations/runtime.js";
import { tokensFor } from "../tokens/mint.js";
import type { Ctx } from "../trpc.js";

/**
 * What a script is handed with every event: who it is, for whom it works, its secrets, and tokens to call the
 * interface with. `authToken` and `signingSecret` are the deprecated forms that older scripts read.
 */
export async function environmentOf(
  ctx: Ctx,
  runtime: Runtime,
  installation?: Described,
  content?: DescribedContent,
) {
  const of = { integration: runtime.id };
  const [integrationToken, installationToken] = installation
    ? await tokensFor(ctx, of, { ...of, installation: installation.view.id })
    : await tokensFor(ctx, of);
  return {
    apiEndpoint: ctx.apiEndpoint,
    authToken: installationToken ?? integrationToken,
    apiTokens: { integration: integrationToken, installation: installationToken },
    integration: runtime.view,
    installation: installation?.view,
    ...(content && { [`${content.kind}Installation`]: content.view }),
    secrets: runtime.secrets,
    signingSecret: installation?.signingSecret ?? runtime.signingSecret,
    signingSecrets: {
      integration: runtime.signingSecret,
      installation: installation?.signingSecret,
      ...(content && { [`${content.kind}Installation`]: content.signingSecret }),
    },
  };
}
