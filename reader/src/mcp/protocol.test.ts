import { expect, onTestFinished, test } from "vitest";
import { createProtocol } from "./protocol.js";
import { type ToolCall, textResult } from "./tools.js";

const call = (id: number, name: string, given: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});
const read = (id: number, page: unknown) => call(id, "get_page", { page });

interface Response {
  id: number;
  result?: { isError?: true; content: { text: string }[]; tools?: { name: string }[] };
  error?: object;
}

/** A site whose pages say which one they are; what was read of it. */
function createSite({ feedback = true, ...options }: { feedback?: boolean; rest?: number } = {}) {
  const protocol = createProtocol(options);
  onTestFinished(protocol.close);
  const run: ToolCall[] = [];
  const tool = async (called: ToolCall) => {
    run.push(called);
    return textResult(`Page ${(called.input as { page: string }).page}`);
  };
  async function send(message: unknown, more: Record<string, string> = {}) {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-03-26",
      ...more,
    };
    const url = "https://docs.example/~octavo/mcp";
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const { status, text } = await protocol.respond(
      "site",
      { url, headers, body, site: { title: "A site", feedback } },
      tool,
    );
    return { status, responses: [...text.matchAll(/\{.*\}/g)].map(([json]) => JSON.parse(json) as Response) };
  }
  return { protocol, run, send };
}

test("a tool is run once, with its defaults, and what it returns is sent", async () => {
  const { send, run } = createSite();
  const { status, responses } = await send(read(1, "a"));
  expect(status).toBe(200);
  expect(responses).toMatchObject([{ id: 1, result: { content: [{ text: "Page a" }] } }]);
  expect(run).toEqual([{ name: "get_page", input: { page: "a", from: 0 } }]);
});

test("each of several calls in a message gets its own result, and those beyond ten are refused", async () => {
  const { send, run } = createSite();
  const messages = Array.from({ length: 12 }, (_, id) => (id === 3 ? read(3, 7) : read(id, `p${id % 2}`)));
  const { responses } = await send(messages);
  expect(new Set(responses.map(({ id }) => id))).toEqual(new Set(messages.map(({ id }) => id)));
  expect(run.length).toBe(10);
  for (const { id, result, error } of responses) {
    const text = result?.content[0]?.text ?? JSON.stringify(error);
    if (id === 3) expect(text).toMatch(/page/i);
    else expect(text, `${id}`).toBe(id === 11 ? "A message may hold 10 calls of tools." : `Page p${id % 2}`);
  }
});

test("an input that is invalid, a tool that is none and a message that is none run nothing", async () => {
  const { send, run } = createSite({ feedback: false });
  for (const message of [
    read(1, 7),
    call(1, "none", {}),
    call(1, "send_feedback", { page: "a", rating: "ok" }),
  ]) {
    const [{ result, error } = {} as Response] = (await send(message)).responses;
    expect(result?.isError ?? error, JSON.stringify(message)).toBeTruthy();
  }
  for (const message of ["", "{", "[]", "{}"]) expect((await send(message)).status, message).toBe(400);
  expect(run).toEqual([]);
});

test("readers are asked what they think where the site asks them", async () => {
  for (const feedback of [true, false]) {
    const { send } = createSite({ feedback });
    const { responses } = await send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const names = responses[0]?.result?.tools?.map(({ name }) => name);
    expect(names).toEqual(["search", "get_page", "list_pages", ...(feedback ? ["send_feedback"] : [])]);
  }
});

test("a subscription, whose response would not end, is refused at once", async () => {
  const { send } = createSite();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const { responses } = await send(
    { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params },
    headers,
  );
  expect(responses).toMatchObject([{ id: 1, error: { message: expect.stringContaining("limit") } }]);
});

test("the thread ends when no messages come any more, and the next one starts another", async () => {
  const { send, protocol } = createSite({ rest: 50 });
  expect(protocol.threads).toBe(0);
  for (let times = 0; times < 2; times += 1) {
    expect((await send(read(1, "a"))).responses).toMatchObject([
      { result: { content: [{ text: "Page a" }] } },
    ]);
    await expect.poll(() => protocol.threads).toBe(0);
  }
});
