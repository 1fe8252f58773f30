import type { DescribedContent } from "../content-installations/runtime.js";
import type { Described } from "../installations/runtime.js";
import type { Runtime } from "../integrations/runtime.js";
import type { tokensFor } from "../tokens/mint.js";
import type { Ctx } from "../trpc.js";

/** Who is notified, for whom it works, and where. */
export interface Named {
  runtime: Runtime;
  installation?: Described;
  content?: DescribedContent;
}

/**
 * What a script is handed with every event: who it is, for whom it works, its secrets, and tokens to call the
 * interface with. `authToken` and `signingSecret` are the deprecated forms that older scripts read.
 */
export function environmentOf(
  { apiEndpoint }: Pick<Ctx, "apiEndpoint">,
  tokenFor: Awaited<ReturnType<typeof tokensFor>>,
  { runtime, installation, content }: Named,
) {
  const of = { integration: runtime.id };
  const integrationToken = tokenFor(of);
  const installationToken = installation && tokenFor({ ...of, installation: installation.view.id });
  return {
    apiEndpoint,
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
