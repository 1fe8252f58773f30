import { found } from "@octavo/shared/errors";
import * as contentInstallations from "../content-installations/runtime.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { Row } from "../store/events.js";
import { tokensFor } from "../tokens/mint.js";
import type { Ctx } from "../trpc.js";
import { environmentOf } from "./environment.js";
import { multipart } from "./multipart.js";
import { type IntegrationResponse, sendToTunnel } from "./tunnel.js";

/** What an integration is notified about. */
export type About = Pick<Row, "integration" | "organization" | "installation" | "content_installation">;

/** Who receives an event, and all that is sent with it. */
export interface Addressee {
  runtime: integrations.Runtime;
  environment: ReturnType<typeof environmentOf>;
  tunnelUrl?: string;
}

/** Finds who receives an event; 404 when its integration is gone. */
export async function addresseeOf(ctx: Ctx, about: About): Promise<Addressee> {
  const find = await addresseesOf(ctx, [about]);
  return find(about);
}

/** Finds who receives some events, with as many statements as for one; what it returns is 404 for one whose integration is gone. */
export async function addresseesOf(ctx: Ctx, abouts: About[]): Promise<(about: About) => Addressee> {
  const idsOf = (part: "integration" | "installation" | "content_installation") => [
    ...new Set(abouts.flatMap((about) => about[part] ?? [])),
  ];
  const [runtimes, installed, contents] = await Promise.all([
    integrations.runtimesOf(ctx, idsOf("integration")),
    installations.describedOf(ctx, idsOf("installation")),
    contentInstallations.describedOf(ctx, idsOf("content_installation")),
  ]);
  const bearers = [...runtimes.keys()].map((integration) => ({ integration }));
  const tokenFor = await tokensFor(ctx, [
    ...bearers,
    ...abouts.flatMap(({ integration, installation }) =>
      installation !== null && installed.has(installation) ? { integration, installation } : [],
    ),
  ]);
  return ({ integration, installation, content_installation, organization }) => {
    const runtime = found(runtimes.get(integration), "Integration");
    const { tunnel } = runtime;
    const tunneled = tunnel && (tunnel.all || organization === runtime.organization);
    const named = {
      runtime,
      installation: installed.get(installation ?? ""),
      content: contents.get(content_installation ?? ""),
    };
    return {
      runtime,
      tunnelUrl: tunneled ? tunnel.url : undefined,
      environment: environmentOf(ctx, tokenFor, named),
    };
  };
}

/**
 * Sends an event by the tunnel of an integration in development mode, else to its script. Throws `EgressError` or
 * `ScriptFailed` without a response.
 */
export async function send(
  ctx: Ctx,
  { runtime, environment, tunnelUrl }: Addressee,
  fields: Record<string, string | Buffer>,
): Promise<IntegrationResponse> {
  const form = multipart({ ...fields, environment: JSON.stringify(environment) });
  if (tunnelUrl) return sendToTunnel(ctx, tunnelUrl, form, runtime.signingSecret);
  const { script, organization } = runtime;
  return ctx.runtime.dispatch({ organization, script, ...form, signal: ctx.signal });
}
