import { afterAll, expect, test } from "vitest";
import { parseJson } from "./json-parse.js";
import { createLongJson } from "./long-json.js";

const LONG = 1_000;
const json = createLongJson({ long: LONG });
afterAll(() => json.close());

/** Bytes in memory of their own, as bodies are gathered. */
const bytesOf = (text: string | Buffer) => {
  const bytes = Buffer.from(text);
  const own = Buffer.allocUnsafeSlow(bytes.length + 10);
  bytes.copy(own);
  return own.subarray(0, bytes.length);
};

test("short JSON is parsed at once, long JSON on another thread, with the same result", async () => {
  const words = "Wörter 😀 \\u00e9 \\n".repeat(100);
  const texts = [
    JSON.stringify({ changes: [{ document: { markdown: "x\n".repeat(1_000_000) } }] }),
    `{"a":"${words}","__proto__":{"b":[${"1,".repeat(2_000)}{}]}}`,
    `${" ".repeat(LONG)}null`,
    `"${words}"`,
    `{"a":"${words}"`,
    `{"a":${"[".repeat(1_000)}`,
    "0,".repeat(300_000),
    Buffer.from([0x22, ...Array(LONG).fill(0xff), 0x22]),
    "",
    '{"a":1}',
  ];
  for (const text of texts) {
    const before = json.done;
    const isLong = text.length >= LONG;
    const parsed = json.parse(bytesOf(text));
    expect(parsed instanceof Promise).toBe(isLong);
    const same = JSON.stringify(await parsed) === JSON.stringify(parseJson(Buffer.from(text)));
    expect(same, String(text).slice(0, 20)).toBe(true);
    expect(json.done - before).toBe(isLong ? 1 : 0);
  }
});

test("the bytes of long JSON are transferred, not copied", async () => {
  const bytes = bytesOf(JSON.stringify("x".repeat(LONG)));
  const parsed = json.parse(bytes);
  expect(bytes.length).toBe(0);
  expect(await parsed).toEqual({ value: "x".repeat(LONG) });
});
