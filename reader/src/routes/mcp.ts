// What programs ask of a site, by the Model Context Protocol: each request stands for itself, as the visitor who sends it.

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { unlessGone } from "../cache/upstream-errors.js";
import { linkText, oneLine } from "../formats/lists.js";
import { markdownOf } from "../formats/markdown.js";
import { STANDING } from "../http/respond.js";
import { feedbackIn, LONGEST_COMMENT, RATINGS, recordFeedback } from "../site/feedback.js";
import { LONGEST_QUERY, queryIn, searchSite } from "../site/search.js";
import { pageIn, spacesFrom } from "../site/site-spaces.js";
import { NOT_STORED, type PageRequest } from "./page-request.js";
import { pagesText } from "./pages-text.js";

/** Characters of a page that are sent at a time, about. */
const LONGEST_PART = 200_000;
const MOST_FOUND = 10;
/** Headers of the protocol. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const page = z
  .string()
  .max(2_048)
  .describe("The path or the address of a page, as the other tools return it.");
const section = z
  .string()
  .max(2_048)
  .optional()
  .describe("The address of the section to begin with, as this tool returns it; without it the first one.");
const from = z
  .number()
  .int()
  .min(0)
  .default(0)
  .describe("Where to begin, as the last line of what was sent before says.");
const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
const errorResult = (text: string) => ({ ...textResult(text), isError: true });

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

/** Sends the response to a message of the protocol. */
export async function sendMcp(request: PageRequest, body: string): Promise<void> {
  const { req, res, place } = request;
  const headers = new Headers({ accept: "application/json, text/event-stream" });
  for (const name of HEADERS) if (typeof req.headers[name] === "string") headers.set(name, req.headers[name]);
  const handler = createMcpHandler(() => serverOf(request), { responseMode: "json" });
  const asked = new Request(`${place.canonical}~octavo/mcp`, { method: req.method!, headers, body });
  const response = await handler.fetch(asked);
  const text = Buffer.from(await response.text());
  const type = response.headers.get("content-type");
  res.writeHead(response.status, {
    ...STANDING,
    "cache-control": NOT_STORED,
    ...(type !== null && { "content-type": type }),
    "content-length": text.length,
  });
  res.end(text);
}

function serverOf(request: PageRequest): McpServer {
  const { site } = request;
  const server = new McpServer({ name: site.title.slice(0, 100), version: "1.0.0" });
  server.registerTool(
    "search",
    {
      description: `Find pages of ${site.title} that hold some words.`,
      inputSchema: z.object({ query: z.string().min(1).max(LONGEST_QUERY) }),
      annotations: { readOnlyHint: true },
    },
    async ({ query }) => {
      const found = await searchSite(request, queryIn(new URLSearchParams({ q: query })), "site");
      const lines = found.slice(0, MOST_FOUND).map(({ title, canonical, sections, body }) => {
        const [first] = sections;
        return `- [${linkText(title)}](${canonical}): ${oneLine(body ?? first?.body ?? "")}`;
      });
      return textResult(lines.length > 0 ? lines.join("\n") : site.words.nothing);
    },
  );
  server.registerTool(
    "get_page",
    {
      description: `Read a page of ${site.title} as markdown. The last line of a part says where the rest begins.`,
      inputSchema: z.object({ page, from }),
      annotations: { readOnlyHint: true },
    },
    async ({ page, from }) => {
      const found = await pageIn(request, page);
      const text = found && (await unlessGone(markdownOf(found.place, found.entry, { alone: false })));
      if (text === undefined) return errorResult(site.words.notFound);
      if (from > text.length)
        return errorResult(`from: is beyond the page, which has ${text.length} characters`);
      return textResult(partOf(text, from));
    },
  );
  server.registerTool(
    "list_pages",
    {
      description: `List the pages of all sections of ${site.title} in their order.`,
      inputSchema: z.object({ section, from }),
      annotations: { readOnlyHint: true },
    },
    async ({ section, from }) => {
      const spaces = spacesFrom(request, section);
      return spaces ? textResult(await pagesText(request, spaces, from)) : errorResult(site.words.notFound);
    },
  );
  if (site.customization.feedback.enabled)
    server.registerTool(
      "send_feedback",
      {
        description: "Say whether a page was helpful.",
        inputSchema: z.object({
          page,
          rating: z.enum(RATINGS),
          comment: z.string().max(LONGEST_COMMENT).optional(),
        }),
      },
      async ({ page, rating, comment }) => {
        const [found, given] = [await pageIn(request, page), feedbackIn(rating, comment)];
        if (!found || !given) return errorResult(site.words.notFound);
        await recordFeedback({ ...found, req: request.req }, found.entry, given);
        return textResult(site.words.thanks);
      },
    );
  return server;
}
