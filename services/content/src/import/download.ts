import { posix } from "node:path";
import { EgressError } from "@octavo/shared/egress/client";
import { refuse } from "@octavo/shared/errors";
import type { Ctx } from "../trpc.js";
import { LARGEST_DOWNLOAD } from "./material/material.js";

/** What lies at an address. */
export interface Download {
  /** Where it came from after redirects; absent for what was uploaded. */
  url?: string;
  /** The name of the file. */
  name: string;
  /** Without parameters, in lower case; empty when it is absent. */
  contentType: string;
  content: Buffer;
}

/** Fetches what a user named: 400 when it cannot be had, 413 when it is too large. */
export async function download(ctx: Ctx, url: string, signal: AbortSignal): Promise<Download> {
  try {
    const response = await ctx.egress.fetch(url, { maxBytes: LARGEST_DOWNLOAD, timeoutMs: 40_000, signal });
    if (response.status !== 200) {
      response.close();
      return refuse("BAD_REQUEST", `body.url: ${response.status} from the address`, {
        reason: "unreachable",
      });
    }
    const contentType = typeIn(response.headers["content-type"]);
    const name = posix.basename(new URL(response.url).pathname);
    return { url: response.url, name, contentType, content: await response.bytes() };
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause;
    const { reason, message } = cause;
    const code = reason === "egress_too_large" ? "PAYLOAD_TOO_LARGE" : "BAD_REQUEST";
    return refuse(code, `body.url: ${message}`, { reason, cause });
  }
}

/** A type of content without its parameters. */
export const typeIn = (header: string | undefined): string =>
  (header ?? "").split(";")[0]!.trim().toLowerCase();
