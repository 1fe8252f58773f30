import { refuseAll, refuseAt } from "@octavo/shared/errors";
import { jsonProblem } from "@octavo/shared/rest/json-bounds";
import { ask } from "../events/ask.js";
import type { Call, Ctx } from "../trpc.js";
import { decompress } from "./decompress.js";
import { installedFor } from "./installed-for.js";
import { cacheControlOf, renderedBy } from "./response.js";
import { type Get, type Post, RenderRequest } from "./schema.js";

// A component of an integration is rendered by its script, for somebody, at a place. Who may have that done, the place
// decides: blocks in documents are for who reads them, configurations for who may configure.

/** Renders by a compressed request; 400 for one that is none, or that acts, and all that `post` refuses. */
export function get({ ctx, input: { integrationName, request } }: Call<typeof Get>) {
  return render(ctx, integrationName, requestOf(request));
}

/**
 * Has a component rendered; 404 where the integration is not installed or does not know the component, 403 for who may
 * not do so at that place, 400 for what the script refuses, 502 where it does not return a component.
 */
export function post({ ctx, input: { integrationName, ...request } }: Call<typeof Post>) {
  return render(ctx, integrationName, request);
}

async function render(ctx: Ctx, integrationName: string, request: RenderRequest) {
  const { about, ids, props } = await installedFor(ctx, integrationName, request.context);
  const { caller } = ctx;
  const platformEvent = {
    type: "ui_render" as const,
    ...ids,
    ...(caller.kind === "user" && { auth: { userId: caller.id } }),
    ...request,
    props: { ...request.props, ...props },
  };
  return ask(ctx, { about, platformEvent }, (response) => {
    const caching = cacheControlOf(response);
    if (caching) ctx.reply.headers["cache-control"] = caching;
    return renderedBy(response);
  });
}

function requestOf(compressed: string): RenderRequest {
  const parsed = RenderRequest.safeParse(jsonOf(compressed));
  if (parsed.success && parsed.data.action !== undefined)
    refuseAt("query.request.action", "what somebody did is sent by POST");
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: ["query.request", ...path].join("."),
    message,
  }));
  refuseAll(issues);
  return refuseAt("query.request", NOT_A_REQUEST);
}

function jsonOf(compressed: string): unknown {
  const text = decompress(compressed);
  const problem = text === undefined ? NOT_A_REQUEST : jsonProblem(Buffer.from(text));
  if (problem !== undefined) refuseAt("query.request", problem);
  try {
    return JSON.parse(text!);
  } catch {
    return refuseAt("query.request", NOT_A_REQUEST);
  }
}

const NOT_A_REQUEST = "is no compressed request";
