import { createHttpServer } from "@octavo/shared/http";
import { listen, testKeys } from "@octavo/shared/testing/http";
import { router } from "../../router.js";
import type { contentTest } from "../../testing/content.js";
import { pdfRoute } from "./download.js";

/** An image of two by two dots. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";

/** Serves the PDFs of a service at their addresses. */
export async function pdfTest(t: Awaited<ReturnType<typeof contentTest>>) {
  const { verifier } = testKeys("gateway");
  const api = await listen(
    createHttpServer({
      name: "content",
      version: "0",
      router,
      verifier,
      base: t.ctx,
      unready: async () => [],
      rawRoutes: [pdfRoute(() => t.ctx)],
      log: t.ctx.log,
    }),
  );

  async function fetchBytes(url: string) {
    const response = await fetch(new URL(new URL(url).pathname, api.url));
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  }
  return { api, fetchBytes };
}
