import { errorBody } from "@octavo/shared/errors";
import { afterAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";
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

test("a name that is none where files are saved is 400, names each issue, and adds nothing", async () => {
  const admin = t.as({ acme: "admin" });
  const spaceId = await t.space();
  const { id: changeRequestId } = await admin.changeRequests.create({ spaceId });
  const names = ['../../evil "x"\r\n.svg', "a/b", "a\\b", "a\u0007", "a\u2028", "..", " "];
  const insert = (names: string[]) =>
    admin.changeRequests.edit({
      spaceId,
      changeRequestId,
      changes: [{ operation: "insert_files", files: names.map((name) => ({ name, base64: "YQ==" })) }],
    });
  const error = await insert(["good.txt", ...names]).then(
    () => expect.unreachable("they are no names"),
    (error: unknown) => errorBody(error, ""),
  );
  const { message } = error.body.error;
  expect(error.status).toBe(400);
  for (const at of names.keys()) expect(message).toContain(`changes.0.files.${at + 1}`);
  expect(message).not.toContain("files.0.name");
  expect((await admin.changeRequestContent.files({ spaceId, changeRequestId })).items).toEqual([]);
  await insert(['Übersicht "v1.2".txt', "...", ".env", "日本.svg"]);
});
