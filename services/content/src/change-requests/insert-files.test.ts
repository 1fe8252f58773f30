import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../testing.js";
import { receiveFiles, type WantedFile } from "./insert-files.js";

const t = await contentTest();
afterAll(() => t.drop());

const wanted = (...sizes: number[]): WantedFile[] =>
  sizes.map((size, at) => ({
    file: { name: `${at}.txt`, base64: Buffer.alloc(size, 97 + at).toString("base64") },
    path: `body.changes.0.files.${at}`,
  }));

test.each([
  [[6, 4], undefined],
  [[6, 5], "body.changes.0.files.1"],
  [[10, 1], "body.changes.0.files.1"],
  [[11], "body.changes.0.files.0"],
  [[4, 4, 4], "body.changes.0.files.2"],
])("files of %j bytes against 10 for all of them", async (sizes, refused) => {
  const received = receiveFiles(t.ctx, wanted(...sizes), new Map(), 10);
  if (refused === undefined) {
    expect((await received).map(({ props }) => props.size)).toEqual(sizes);
    return;
  }
  const error = await received.then(
    () => expect.unreachable("they are too large"),
    (error: unknown) => errorBody(error, ""),
  );
  expect(error).toMatchObject({
    status: 413,
    body: { error: { message: expect.stringContaining(refused) } },
  });
});
