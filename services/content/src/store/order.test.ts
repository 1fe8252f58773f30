import { expect, test } from "vitest";
import { seeded } from "../testing/trees.js";
import { inOrder, positionAt } from "./order.js";

test("siblings are in the order of their positions, those that share one in the order of their ids", () => {
  const ids = ["a1 a", "a0 b", "a0 a", "Zz c", "a1 b", "a0 c"].map((text) => text.split(" "));
  const sorted = ids.map(([position, id]) => ({ position: position!, id: id! })).sort(inOrder);
  expect(sorted.map(({ position, id }) => `${position} ${id}`)).toEqual([
    "Zz c",
    "a0 a",
    "a0 b",
    "a0 c",
    "a1 a",
    "a1 b",
  ]);
  expect(inOrder(sorted[0]!, sorted[1]!)).toBeLessThan(0);
  expect(inOrder(sorted[1]!, sorted[0]!)).toBeGreaterThan(0);
  expect(inOrder(sorted[2]!, sorted[1]!)).toBeGreaterThan(0);
});

test("a page gets a position at its index, behind all that share the one before it", () => {
  const random = seeded(71);
  for (let round = 0; round < 300; round += 1) {
    const siblings: { position: string; id: string }[] = [];
    for (let count = 0; count < 12; count += 1) {
      const wanted = Math.floor(random() * 14);
      const position = positionAt(siblings, wanted);
      const index = Math.min(wanted, siblings.length);
      const before = siblings[index - 1]?.position;
      const behind = siblings.slice(index).filter((sibling) => sibling.position !== before);
      if (before !== undefined) expect(position > before).toBe(true);
      if (behind.length > 0) expect(position < behind[0]!.position).toBe(true);
      siblings.push({ position, id: `${count}` });
      if (random() < 0.3) siblings.push({ position, id: `shared ${count}` });
      siblings.sort(inOrder);
    }
  }
});
