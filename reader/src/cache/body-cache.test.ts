import { afterEach, expect, test, vi } from "vitest";
import { bodyOf } from "../http/body.js";
import { createBodyCache } from "./body-cache.js";

const text = (length: number) => async () => bodyOf("x".repeat(length), { type: "text/plain" });
afterEach(() => void vi.useRealTimers());

const unwanted = () => Promise.reject(new Error("drawn again"));

test("no more bytes of finished bodies are kept than there is room for", async () => {
  const bodies = createBodyCache(100_000);
  for (let index = 0; index < 500; index += 1) await bodies.get(`${index}`, text(index * 10));
  expect(bodies.bytes).toBeLessThanOrEqual(100_000);
  expect(await bodies.get("499", unwanted)).toBeDefined();
  await bodies.get("large", text(50_000));
  await expect(bodies.get("large", unwanted)).rejects.toThrow("drawn again");
});

test("what several ask for at a time is drawn once, and a failure is nobody's for good", async () => {
  const bodies = createBodyCache();
  let drawn = 0;
  const draw = async () => {
    drawn += 1;
    return bodyOf("page", { type: "text/plain" });
  };
  const [one, other] = await Promise.all([bodies.get("a", draw), bodies.get("a", draw)]);
  expect([drawn, one === other]).toEqual([1, true]);
  await expect(bodies.get("b", unwanted)).rejects.toThrow();
  expect(await bodies.get("b", draw)).toBeDefined();
  expect(await bodies.get("c", async () => undefined)).toBeUndefined();
  await bodies.get("c", draw);
  expect(drawn).toBe(3);
});

test("a body counts as what it takes since its forms changed, and only while it is kept", async () => {
  const bodies = createBodyCache();
  const body = (await bodies.get("a", text(10)))!;
  const before = bodies.bytes;
  body.brotli = Buffer.alloc(100);
  bodies.count("a", body);
  expect(bodies.bytes).toBe(before + 100);
  bodies.count("b", body);
  expect(bodies.bytes).toBe(before + 100);
});

test("a body that has lasted its time is returned for as long again while it is drawn anew", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const bodies = createBodyCache();
  let drawn = 0;
  const draw = async () => {
    drawn += 1;
    return { ...bodyOf(`page ${drawn}`, { type: "text/plain" }), lasts: 1_000 };
  };
  const shown = async (make: Parameters<typeof bodies.get>[1] = draw) =>
    String((await bodies.get("a", make))?.bytes);
  expect(await shown()).toBe("page 1");
  bodies.count("a", (await bodies.get("a", unwanted))!);
  vi.advanceTimersByTime(999);
  expect([await shown(unwanted), bodies.has("a")]).toEqual(["page 1", true]);
  vi.advanceTimersByTime(2);
  expect(bodies.has("a")).toBe(false);
  expect(await shown(unwanted)).toBe("page 1");
  expect(await shown()).toBe("page 1");
  expect(await shown(unwanted)).toBe("page 2");
  vi.advanceTimersByTime(2_001);
  expect(await shown()).toBe("page 3");
});
