import { senderTo } from "@octavo/shared/testing/service";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { router } from "../../router.js";
import { contentTest } from "../../testing/content.js";
import { spaceWith } from "./testing.js";

const t = await contentTest();
afterAll(() => t.drop());
const ada = t.user({ acme: "admin" }, { id: "ada" });
const stranger = t.user({ beta: "admin" }, { id: "eve" });
let address: string;
beforeAll(async () => {
  address = await t.serve(router);
});
const search = (caller: typeof ada, spaceId: string) =>
  senderTo(address, () => t.sign(caller))("GET", `/v1/spaces/${spaceId}/search?query=heron`);

test("what clients search for again is what was found, until the revision is another one", async () => {
  const spaceId = await spaceWith(t, ["# Birds\n\nThe heron waits.\n", "# Fish\n\nSeen by a heron.\n"]);
  const found = JSON.parse(
    JSON.stringify(await t.call(ada).search.inSpace({ spaceId, query: "heron", limit: 50 })),
  );
  expect(found.count).toBe(2);
  for (let times = 0; times < 2; times++) expect((await search(ada, spaceId)).body).toEqual(found);
  // What is not read again does not have to be there.
  await sql`delete from search_section where space = ${spaceId}`.execute(t.db);
  expect((await search(ada, spaceId)).body).toEqual(found);
  expect((await search(stranger, spaceId)).status).toBe(404);
  await sql`update space set revision = revision || 'x' where id = ${spaceId}`.execute(t.db);
  expect((await search(ada, spaceId)).body).not.toEqual(found);
});
