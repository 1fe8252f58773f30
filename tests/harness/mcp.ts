const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Sends a message to the tools of a site as clients of 2025 do, or as those of 2026, which identify themselves in each. */
export async function askMcp(url: string, method: string, params: object, modern: boolean, headers = {}) {
  const meta = {
    [VERSION]: "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const name = (params as { name?: string }).name;
  const response = await fetch(`${url}~octavo/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(modern
        ? { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name && { "mcp-name": name }) }
        : { "mcp-protocol-version": "2025-06-18" }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, ...(modern && { _meta: meta }) },
    }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "null");
  return { status: response.status, body: JSON.parse(json) as { result?: Record<string, unknown> } | null };
}
