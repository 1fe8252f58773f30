import { afterAll, expect, test } from "vitest";
import { startOrgs } from "../../testing/orgs.js";

const { rows, as, content, launcher, emitted, end } = await startOrgs();
afterAll(end);

test("GET /user shows the caller as stored", async () => {
  const { send } = await as({}, { name: "An older name" });
  const person = await rows.person({ display_name: "Ada", email: "ada@example.com" });
  const ada = await as({}, { id: person });
  expect((await ada.send("GET", "/v1/user")).body).toEqual({
    object: "user",
    id: person,
    displayName: "Ada",
    email: "ada@example.com",
    urls: { location: `http://octavo.test/v1/users/${person}` },
  });
  expect((await send("GET", "/v1/user")).body.displayName).not.toBe("An older name");
});

test("GET /user by a service is 403, of a user who is gone 404", async () => {
  expect((await launcher.send("GET", "/v1/user")).status).toBe(403);
  expect((await (await as({}, { id: "gone", token: "gone" })).send("GET", "/v1/user")).status).toBe(404);
});

test("users.lookup returns the users that exist, with addresses for those who share an organization", async () => {
  const acme = await rows.organization();
  const colleague = await rows.member({ organization: acme });
  const stranger = await rows.person();
  const ids = [colleague, stranger, "unknown"];
  const lookup = async ({ call }: Awaited<ReturnType<typeof as>> | typeof content, more: string[] = []) => {
    const users = await call.users.lookup({ ids: [...ids, ...more] });
    return Object.fromEntries(users.map(({ id, email }) => [id, email !== undefined]));
  };
  const ada = await as({ [acme]: "read" });
  expect(await lookup(ada, [ada.id])).toEqual({ [colleague]: true, [stranger]: false, [ada.id]: true });
  expect(await lookup(await as({ [acme]: null }))).toEqual({ [colleague]: false, [stranger]: false });
  expect(await lookup(content)).toEqual({ [colleague]: true, [stranger]: true });
  await expect(ada.call.users.lookup({ ids: Array(1001).fill(ada.id) })).rejects.toThrow();
});

test("GET /users/{userId} shows colleagues; to strangers and guests there is no such user", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "read" });
  const emile = await rows.member({ organization: acme, role: "read" });
  const shown = await ada.send("GET", `/v1/users/${emile}`);
  expect([shown.status, shown.body.id, shown.body.email]).toEqual([200, emile, expect.any(String)]);
  expect((await ada.send("GET", `/v1/users/${ada.id}`)).body.id).toBe(ada.id);
  for (const { send } of [
    await as(),
    await as({ [acme]: null }),
    await as({ [await rows.organization()]: "admin" }),
  ]) {
    const { status, body } = await send("GET", `/v1/users/${emile}`);
    expect([status, body.error.message]).toEqual([404, "User: not found"]);
  }
  expect((await ada.send("GET", "/v1/users/unknown")).status).toBe(404);
  expect((await launcher.send("GET", `/v1/users/${emile}`)).status).toBe(200);
});

test("PATCH /users/{userId} changes one's own name and photo, and publishes an event", async () => {
  const person = await rows.person({ display_name: "Ada", email: "ada.l@example.com" });
  const ada = await as({}, { id: person });
  const path = `/v1/users/${person}`;
  const change = { displayName: "Ada Lovelace", photoURL: "https://example.com/ada.png" };
  const more = { email: "root@example.com", email_verified: true, id: "other", object: "admin" };
  const changed = await ada.send("PATCH", path, { ...change, ...more });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("x-octavo-identity-changed")).toBe(person);
  expect(changed.body).toMatchObject({ id: person, email: "ada.l@example.com", ...change });
  expect((await ada.send("PATCH", path, { displayName: "Ada Lovelace" })).body).toEqual(changed.body);
  expect((await ada.send("PATCH", path)).body).toEqual(changed.body);
  expect((await ada.send("GET", "/v1/user")).body).toEqual(changed.body);
  const event = { user: person, email: "ada.l@example.com", ...change };
  expect(await emitted(person)).toEqual([["user.updated", event]]);
  const acme = await rows.organization();
  await rows.member({ organization: acme, person });
  const found = await (await as({ [acme]: "read" })).send("GET", `/v1/orgs/${acme}/members?search=LOVELACE`);
  expect(found.body.items).toHaveLength(1);
});

test("PATCH /users/{userId} of another is 403 among colleagues, 404 else, and bad input 400", async () => {
  const acme = await rows.organization();
  const ada = await as({ [acme]: "admin" });
  const emile = await rows.member({ organization: acme });
  const change = { displayName: "Mine" };
  expect((await ada.send("PATCH", `/v1/users/${emile}`, change)).status).toBe(403);
  expect((await (await as()).send("PATCH", `/v1/users/${emile}`, change)).status).toBe(404);
  expect((await launcher.send("PATCH", `/v1/users/${emile}`, change)).status).toBe(403);
  const bad = { displayName: "", photoURL: "javascript:alert(1)" };
  const { status, body } = await ada.send("PATCH", `/v1/users/${ada.id}`, bad);
  const issues = body.error.issues.map(({ path }: { path: string }) => path);
  expect([status, issues]).toEqual([400, ["body.displayName", "body.photoURL"]]);
  expect((await ada.send("GET", `/v1/users/${emile}`)).body.displayName).not.toBe("Mine");
});
