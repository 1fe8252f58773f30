import { newId } from "@octavo/shared/ids";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

let service: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  service = await contentTest();
});
afterAll(() => service.drop());

const wanted = (id = newId()) => ({ organizationId: "acme", title: "Docs", id });

test("spaces.createOnce makes a space with the given id, once, however often and concurrently it is called", async () => {
  const ada = service.as({ acme: "create" }, { id: "ada" });
  const input = wanted();
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => ada.spaces.createOnce(input)));
  expect(one).toMatchObject({ id: input.id, title: "Docs", organization: "acme" });
  expect(others).toEqual([one, one]);
  expect(await ada.spaces.createOnce(input)).toEqual(one);
  const events = (await service.emitted("content.space.created")) as { space: string }[];
  expect(events.filter(({ space }) => space === input.id)).toHaveLength(1);
});

test("spaces.createOnce is 409 for an id that is somebody else's space, another organization's, or in the trash", async () => {
  const ada = service.as({ acme: "create", beta: "create" }, { id: "ada" });
  const input = wanted();
  await ada.spaces.createOnce(input);
  const refused = { code: "CONFLICT", message: "Space: the id is taken" };
  const eve = service.as({ acme: "create" }, { id: "eve" });
  await expect(eve.spaces.createOnce(input)).rejects.toMatchObject(refused);
  await expect(ada.spaces.createOnce({ ...input, organizationId: "beta" })).rejects.toMatchObject(refused);
  await ada.spaces.remove({ spaceId: input.id });
  await expect(ada.spaces.createOnce(input)).rejects.toMatchObject(refused);
});

test("spaces.createOnce takes what creating a space takes, and a new id", async () => {
  const reader = service.as({ acme: "read" }, { id: "kim" });
  await expect(reader.spaces.createOnce(wanted())).rejects.toMatchObject({ code: "FORBIDDEN" });
  const ada = service.as({ acme: "create" }, { id: "ada" });
  await expect(ada.spaces.createOnce(wanted("mine"))).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
