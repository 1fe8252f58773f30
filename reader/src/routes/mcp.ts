// What programs ask of a site, by the Model Context Protocol: each message stands for itself, as the visitor who sends it.

import { unlessGone } from "../cache/upstream-errors.js";
import { linkText, oneLine } from "../formats/lists.js";
import { STANDING } from "../http/respond.js";
import type { Protocol } from "../mcp/protocol.js";
import {
  errorResult,
  type ToolCall,
  type ToolInput,
  type ToolName,
  type ToolResult,
  textResult,
} from "../mcp/tools.js";
import { markdownOf } from "../pages/markdown.js";
import { feedbackIn, recordFeedback } from "../site/feedback.js";
import { queryIn, searchSite } from "../site/search.js";
import { pageIn, spacesFrom } from "../site/site-spaces.js";
import { NOT_STORED, type PageRequest } from "./page-request.js";
import { pagesText } from "./pages-text.js";

/** Characters of a page that are sent at a time, about. */
const LONGEST_PART = 200_000;
const MOST_FOUND = 10;
/** Headers of the protocol. */
const HEADERS = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** Sends the response to a message of the protocol. */
export async function sendMcp(request: PageRequest, body: string, protocol: Protocol): Promise<void> {
  const { req, res, place, site } = request;
  // Clients that leave it out take what all others do.
  const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
  for (const name of ["accept", ...HEADERS]) {
    const value = req.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const { status, type, text } = await protocol.respond(
    place.site,
    {
      url: `${place.canonical}~octavo/mcp`,
      headers,
      body,
      site: { title: site.title, feedback: site.customization.feedback.enabled },
    },
    (call) => runTool(request, call),
  );
  const bytes = Buffer.from(text);
  res.writeHead(status, {
    ...STANDING,
    "cache-control": NOT_STORED,
    ...(type !== null && { "content-type": type }),
    "content-length": bytes.length,
  });
  res.end(bytes);
}

type Tools = { [Name in ToolName]: (request: PageRequest, input: ToolInput<Name>) => Promise<ToolResult> };

const TOOLS: Tools = {
  async search(request, { query }) {
    const found = await searchSite(request, queryIn(new URLSearchParams({ q: query })), "site");
    const lines = found.slice(0, MOST_FOUND).map(({ title, canonical, sections, body }) => {
      const [first] = sections;
      return `- [${linkText(title)}](${canonical}): ${oneLine(body ?? first?.body ?? "")}`;
    });
    return textResult(lines.length > 0 ? lines.join("\n") : request.site.words.nothing);
  },

  async get_page(request, { page, from }) {
    const found = await pageIn(request, page);
    const text =
      found && (await unlessGone(markdownOf({ ...request, ...found }, found.entry, { alone: false })));
    if (text === undefined) return errorResult(request.site.words.notFound);
    if (from > text.length)
      return errorResult(`from: is beyond the page, which has ${text.length} characters`);
    return textResult(partOf(text, from));
  },

  async list_pages(request, { section, from }) {
    const spaces = spacesFrom(request, section);
    if (!spaces) return errorResult(request.site.words.notFound);
    return textResult(await pagesText(request, spaces, from));
  },

  async send_feedback(request, { page, rating, comment }) {
    const { words } = request.site;
    const [found, given] = [await pageIn(request, page), feedbackIn(rating, comment)];
    if (!found || !given) return errorResult(words.notFound);
    await recordFeedback({ ...found, req: request.req }, found.entry, given);
    return textResult(words.thanks);
  },
};

const runTool = <Name extends ToolName>(request: PageRequest, { name, input }: ToolCall<Name>) =>
  TOOLS[name](request, input);

/**
 * Returns at most `LONGEST_PART` characters of a text from an offset, cut at the end of a line where there is one. Where more
 * follows, a last line names the offset of the rest.
 */
function partOf(text: string, from: number): string {
  const longest = from + LONGEST_PART;
  if (text.length <= longest) return text.slice(from);
  const line = text.lastIndexOf("\n", longest - 1) + 1;
  const end = line > from ? line : longest;
  return `${text.slice(from, end)}\nMore of this page: from ${end}`;
}
