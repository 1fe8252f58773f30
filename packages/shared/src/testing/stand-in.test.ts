import { expect, test } from "vitest";
import { z } from "zod";
import type { BaseContext } from "../context.js";
import { createApi } from "../trpc.js";
import { standInFor } from "./stand-in.js";

const { router, internal } = createApi<BaseContext<never>>();
const one = z.object({ id: z.string() });
const real = router({
  things: router({
    find: internal({})
      .input(one)
      .query(({ input: { id } }) => ({ id, title: "Thing" })),
  }),
});
const standIn = standInFor<typeof real>();

// What is expected here are errors of the compiler, in `npm run check`.
test("a stand-in has operations of the service alone, with inputs and outputs that fit", () => {
  const part = router({
    things: router({
      find: internal({})
        .input(one)
        .query(({ input: { id } }) => ({ id })),
    }),
  });
  expect(standIn(part)).toBe(part);

  const gone = router({
    things: router({
      load: internal({})
        .input(one)
        .query(() => ({ id: "x" })),
    }),
  });
  // @ts-expect-error things.load is not there
  expect(standIn(gone)).toBe(gone);

  const numbered = z.object({ id: z.number() });
  const taking = router({
    things: router({
      find: internal({})
        .input(numbered)
        .query(() => ({ id: "x" })),
    }),
  });
  // @ts-expect-error things.find takes something else
  expect(standIn(taking)).toBe(taking);

  const returning = router({
    things: router({
      find: internal({})
        .input(one)
        .query(() => ({ name: "x" })),
    }),
  });
  // @ts-expect-error things.find returns something else
  expect(standIn(returning)).toBe(returning);
});
