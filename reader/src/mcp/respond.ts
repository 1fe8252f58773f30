import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { INPUTS, type ToolCall, type ToolResult, textResult } from "./tools.js";

/** A message of a program to a site. */
export interface McpMessage {
  /** The address that it was sent to. */
  url: string;
  headers: Record<string, string>;
  body: string;
  site: { title: string; feedback: boolean };
  /** What the tools returned that the message calls, in its order; undefined before any was run. */
  results?: ToolResult[];
}

/** The calls of tools whose results are missing, or the response. */
export type McpReply = { calls: ToolCall[] } | { response: McpResponse };

export interface McpResponse {
  status: number;
  type: string | null;
  text: string;
}

/** The result of a call of a tool. */
type Use = (call: ToolCall) => ToolResult;

/**
 * Responds to a message. Tools read what only the main thread has: a message that calls some is handled twice, to learn what
 * it calls, and with the results. That keeps nothing here between the two, and holds up no other message.
 */
export async function respond({ url, headers, body, site, results }: McpMessage): Promise<McpReply> {
  const calls: ToolCall[] = [];
  const use: Use = (call) => {
    calls.push(call);
    return results?.[calls.length - 1] ?? textResult("");
  };
  // A subscription would be a response that does not end, and nothing here ever changes for one.
  const handler = createMcpHandler(() => serverOf(site, use), { maxSubscriptions: 0 });
  const response = await handler.fetch(new Request(url, { method: "POST", headers, body }));
  const text = await response.text();
  if (!results && calls.length > 0) return { calls };
  return { response: { status: response.status, type: response.headers.get("content-type"), text } };
}

function serverOf({ title, feedback }: McpMessage["site"], use: Use): McpServer {
  const server = new McpServer({ name: title.slice(0, 100), version: "1.0.0" });
  const annotations = { readOnlyHint: true };
  server.registerTool(
    "search",
    { description: `Find pages of ${title} that hold some words.`, inputSchema: INPUTS.search, annotations },
    (input) => use({ name: "search", input }),
  );
  server.registerTool(
    "get_page",
    {
      description: `Read a page of ${title} as markdown. The last line of a part says where the rest begins.`,
      inputSchema: INPUTS.get_page,
      annotations,
    },
    (input) => use({ name: "get_page", input }),
  );
  server.registerTool(
    "list_pages",
    {
      description: `List the pages of all sections of ${title} in their order.`,
      inputSchema: INPUTS.list_pages,
      annotations,
    },
    (input) => use({ name: "list_pages", input }),
  );
  if (feedback)
    server.registerTool(
      "send_feedback",
      { description: "Say whether a page was helpful.", inputSchema: INPUTS.send_feedback },
      (input) => use({ name: "send_feedback", input }),
    );
  return server;
}
