import { UserUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../testing/content.js";
import { authorOf } from "./author.js";
import { listeners } from "./listeners.js";

let t: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  t = await contentTest();
});
afterAll(() => t.drop());

const people = () => t.db.selectFrom("person").selectAll().execute();
const receive = (payload: object) =>
  transact(t.ctx, (ctx) => {
    const event = { id: "e", name: UserUpdated.name, aggregate: "ada", occurredAt: new Date().toISOString() };
    return listeners[0]!.handle({ ctx, payload, event });
  });

test("an author is stored, and follows the events of orgs", async () => {
  await receive({ user: "ada", displayName: "Nobody yet" });
  expect(await people()).toEqual([]);
  expect(await authorOf(t.context(t.user({}, { id: "ada" })))).toBe("ada");
  expect(await people()).toEqual([{ id: "ada", display_name: "Name of ada", email: null, photo_url: null }]);
  const person = { displayName: "Ada L.", email: "ada@example.com", photoURL: "https://example.com/a.png" };
  await receive({ user: "ada", ...person });
  expect(await people()).toEqual([
    { id: "ada", display_name: "Ada L.", email: person.email, photo_url: person.photoURL },
  ]);
  await receive({ user: "ada" });
  expect((await people())[0]!.display_name).toBe("Ada L.");
});

test("a service that writes goes by its name, and is no person", async () => {
  const before = await people();
  expect(await authorOf(t.ctx)).toBe("content");
  expect(await people()).toEqual(before);
});
