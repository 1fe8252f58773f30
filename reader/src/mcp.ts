// What programs ask of a site, by the Model Context Protocol: each request stands for itself, as the visitor who sends it.

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { feedbackIn, LONGEST_COMMENT, RATINGS, recordFeedback } from "./feedback.js";
import { pageNamed, pathOf } from "./find.js";
import { markdownOf } from "./formats/markdown.js";
import { encodedPath } from "./links.js";
import { STANDING } from "./respond.js";
import { LONGEST_QUERY, queryIn, searchSite } from "./search.js";
import { PRIVATE, type Shown } from "./send.js";
import type { Entry } from "./space.js";

const MOST_LISTED = 500;
const LONGEST_PAGE = 200_000;
const MOST_FOUND = 10;
/** Headers of the protocol. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const page = z
  .string()
  .max(2_048)
  .describe("The path or the address of a page, as the other tools return it.");
const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });
const errorResult = (text: string) => ({ ...textResult(text), isError: true });

/** Sends the response to a message of the protocol. */
export async function sendMcp(shown: Shown, body: string | undefined): Promise<void> {
  const { req, res, place } = shown;
  const headers = new Headers({ accept: "application/json, text/event-stream" });
  for (const name of HEADERS) if (typeof req.headers[name] === "string") headers.set(name, req.headers[name]);
  const handler = createMcpHandler(() => serverOf(shown), { responseMode: "json" });
  const asked = new Request(`${place.canonical}~octavo/mcp`, { method: req.method!, headers, body });
  const response = await handler.fetch(asked);
  const text = Buffer.from(await response.text());
  const type = response.headers.get("content-type");
  res.writeHead(response.status, {
    ...STANDING,
    "cache-control": PRIVATE,
    ...(type !== null && { "content-type": type }),
    "content-length": text.length,
  });
  res.end(text);
}

function serverOf(shown: Shown): McpServer {
  const { place, site, space } = shown;
  const server = new McpServer({ name: site.title.slice(0, 100), version: "1.0.0" });
  const addressOf = (entry: Entry) => place.canonical + encodedPath(pathOf(space, entry));

  /** The page that a path or an address names. */
  function pageAt(named: string): Entry | undefined {
    const below = named.startsWith(place.canonical) ? named.slice(place.canonical.length) : named;
    return pageNamed(space, decoded(below.split(/[?#]/, 1)[0]!.replace(/^\/+/, "")));
  }

  server.registerTool(
    "search",
    {
      description: `Find pages of ${site.title} that hold some words.`,
      inputSchema: z.object({ query: z.string().min(1).max(LONGEST_QUERY) }),
      annotations: { readOnlyHint: true },
    },
    async ({ query }) => {
      const found = await searchSite(shown, queryIn(new URLSearchParams({ q: query })), "site");
      const lines = found.slice(0, MOST_FOUND).map(({ title, href, sections, body }) => {
        const [first] = sections;
        return `- [${title}](${new URL(href, place.canonical).href}): ${oneLine(body ?? first?.body ?? "")}`;
      });
      return textResult(lines.length > 0 ? lines.join("\n") : site.words.nothing);
    },
  );
  server.registerTool(
    "get_page",
    {
      description: `Read a page of ${site.title} as markdown.`,
      inputSchema: z.object({ page }),
      annotations: { readOnlyHint: true },
    },
    async ({ page }) => {
      const entry = pageAt(page);
      const text = entry && (await markdownOf(place, entry, false));
      return text === undefined ? errorResult(site.words.notFound) : textResult(text.slice(0, LONGEST_PAGE));
    },
  );
  server.registerTool(
    "list_pages",
    {
      description: `List the pages of ${site.title} in their order.`,
      inputSchema: z.object({ from: z.number().int().min(0).default(0) }),
      annotations: { readOnlyHint: true },
    },
    async ({ from }) => {
      const some = space.order.slice(from, from + MOST_LISTED);
      const lines = some.map(
        (one) => `${"  ".repeat(depthOf(one))}- [${oneLine(one.title)}](${addressOf(one)})`,
      );
      const left = space.order.length - from - some.length;
      return textResult(
        [...lines, ...(left > 0 ? [`${left} more from ${from + MOST_LISTED}`] : [])].join("\n"),
      );
    },
  );
  if (site.look.feedback.enabled)
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
        const [entry, given] = [pageAt(page), feedbackIn(rating, comment)];
        if (!entry || !given) return errorResult(site.words.notFound);
        await recordFeedback(shown, entry, given);
        return textResult(site.words.thanks);
      },
    );
  return server;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function depthOf(entry: Entry): number {
  let depth = 0;
  for (let above = entry.parent; above; above = above.parent) depth += 1;
  return depth;
}
