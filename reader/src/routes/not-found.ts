import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "../assets/assets.js";
import { linkText } from "../formats/lists.js";
import { MARKDOWN } from "../formats/markdown.js";
import { notFoundHtml } from "../frame/page.js";
import { plainHtml } from "../frame/plain.js";
import { policyOf } from "../frame/policy.js";
import { bodyOf } from "../http/body.js";
import { respond } from "../http/respond.js";
import { encodedPath } from "../site/links.js";
import type { Entry } from "../site/space.js";
import { wordsFor } from "../words/index.js";
import { HTML, NOT_STORED, type PageRequest } from "./page-request.js";

/** Sends 404 without saying of which site, if of any. */
export function sendNothing(req: IncomingMessage, res: ServerResponse, assets: Assets): Promise<void> {
  const { language, words } = wordsFor(req.headers["accept-language"]);
  const text = plainHtml(assets, language, words.notFound, words.notFoundText);
  const headers = { "content-security-policy": policyOf() };
  return respond(req, res, bodyOf(text, { status: 404, type: HTML, headers }), NOT_STORED);
}

/** Sends 404 as a page of the site, which leads to pages that may be meant. */
export async function sendNotFound(
  request: PageRequest,
  { near, markdown }: { near: Entry[]; markdown: boolean },
): Promise<void> {
  const { req, res, place, site, space, assets } = request;
  if (markdown) {
    const lines = near.map(
      (one) => `- [${linkText(one.title)}](${place.canonical}${encodedPath(one.path ?? "")}.md)`,
    );
    const text = [`# ${site.words.notFound}`, "", ...lines, ""].join("\n");
    return respond(req, res, bodyOf(text, { status: 404, type: MARKDOWN }), NOT_STORED);
  }
  const customizationLinks = await request.customizationLinks();
  const text = notFoundHtml({ place, site, space, assets, customizationLinks }, near);
  const headers = { "content-security-policy": policyOf(site.customization) };
  return respond(req, res, bodyOf(text, { status: 404, type: HTML, headers }), NOT_STORED);
}
