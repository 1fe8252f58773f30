import * as contentInstallations from "../content-installations/runtime.js";
import * as installations from "../installations/runtime.js";
import * as integrations from "../integrations/runtime.js";
import type { Row } from "../store/events.js";
import type { Ctx } from "../trpc.js";
import { environmentOf } from "./environment.js";
import { multipart } from "./multipart.js";
import { type Answer, sendToTunnel } from "./tunnel.js";

/** Of what an integration is told something. */
export type About = Pick<Row, "integration" | "organization" | "installation" | "content_installation">;

/** Who is told of an event, and all that it is told with. */
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
 * `ScriptFailed` where nothing answers.
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
