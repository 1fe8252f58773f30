import * as contentInstallations from "../content-installations/runtime.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { Row } from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { environmentOf } from "./environment.js";
import { multipart } from "./multipart.js";
import { type Answer, sendToTunnel } from "./tunnel.js";

/** What an integration is notified about. */
export type About = Pick<Row, "integration" | "organization" | "installation" | "content_installation">;

/** Who receives an event, and all that is sent with it. */
export type Addressee = Awaited<ReturnType<typeof addresseeOf>>;

export async function addresseeOf(ctx: Ctx, about: About) {
  const runtime = await integrations.runtimeOf(ctx, about.integration);
  const { name } = runtime.view;
  const [installation, content] = await Promise.all([
    about.installation === null ? undefined : installations.describedOf(ctx, name, about.installation),
    about.content_installation === null
      ? undefined
      : contentInstallations.describedOf(ctx, name, about.content_installation),
  ]);
  const { tunnel } = runtime;
  const tunneled = tunnel && (tunnel.all || about.organization === runtime.organization);
  return {
    runtime,
    environment: await environmentOf(ctx, runtime, installation, content),
    tunnelUrl: tunneled ? tunnel.url : undefined,
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
): Promise<Answer> {
  const form = multipart({ ...fields, environment: JSON.stringify(environment) });
  if (tunnelUrl) return sendToTunnel(ctx, tunnelUrl, form, runtime.signingSecret);
  const { script, organization } = runtime;
  return ctx.runtime.dispatch({ organization, script, ...form, signal: ctx.signal });
}
