import { expect, test } from "vitest";
import { decode } from "./decode.js";

test("a long text is decoded in turns, whatever its pieces cut through", async () => {
  for (const letters of ["日", "😀", "é", "\ufeffab"]) {
    const text = letters.repeat(Math.ceil(2_500_000 / Buffer.byteLength(letters)));
    const order: string[] = [];
    setImmediate(() => order.push("other"));
    const decoded = await decode(Buffer.from(text), "page.md");
    order.push("text");
    expect(decoded === text).toBe(true);
    expect(order).toEqual(["other", "text"]);
  }
});

test("a text that is none is refused, wherever it ends to be one", async () => {
  const long = Buffer.from("words ".repeat(400_000));
  for (const bytes of [[0xff], [0xe6, 0x97], [0x61, 0x00]]) {
    const broken = [Buffer.from(bytes), Buffer.concat([long, Buffer.from(bytes)])];
    for (const content of [...broken, Buffer.concat([Buffer.from(bytes), long])])
      await expect(decode(content, "page.md")).rejects.toThrow("page.md is not text in UTF-8");
  }
  expect(await decode(Buffer.alloc(0), "page.md")).toBe("");
});
