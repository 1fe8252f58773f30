import { expect, test } from "vitest";
import { withoutShareKeys } from "./share-keys.js";

test("a path is kept without the keys in it, however they are written", () => {
  const key = "0123456789abcdefABCD".repeat(2);
  for (const written of [key, key.replace("0", "%30").replace("f", "%66"), key.replace("A", "%41")])
    expect(withoutShareKeys(`/sites/docs/${written}/guide`)).toBe("/sites/docs/~/guide");
  expect(withoutShareKeys(`/${key}`)).toBe("/~");
  for (const path of ["/", "/sites/docs/guide", `/sites/${key}0/guide`, `/sites/x${key.slice(1)}/guide`])
    expect(withoutShareKeys(path)).toBe(path);
});
