import { afterAll, beforeAll, expect, test } from "vitest";
import { contentTest } from "../../testing/content.js";

let service: Awaited<ReturnType<typeof contentTest>>;
beforeAll(async () => {
  service = await contentTest();
});
afterAll(() => service.drop());

const ORGANIZATION = "acme";

async function furnished() {
  const open = await service.space();
  const closed = await service.space({ default_level: null });
  const readable = await service.space({ default_level: "read" });
  const trashed = await service.space({ default_level: null, deleted_at: new Date().toISOString() });
  const foreign = await service.space({ organization: "beta" });
  return { open, closed, readable, trashed, all: [open, closed, readable, trashed, foreign, "unknown"] };
}

test("audience.standing returns which spaces a member may not show, and which of them they may read", async () => {
  const { closed, readable, trashed, all } = await furnished();
  service.directory.member(ORGANIZATION, { user: "kim", role: "create", teams: [] });
  service.directory.member(ORGANIZATION, { user: "ada", role: "admin", teams: [] });
  const standing = (id: string, role: "create" | "admin") =>
    service
      .as({ [ORGANIZATION]: role }, { id })
      .audience.standing({ organizationId: ORGANIZATION, spaces: all });
  const { role, undecided } = await standing("kim", "create");
  expect(role).toBe("create");
  expect(new Map(undecided.map(({ id, readable }) => [id, readable]))).toEqual(
    new Map([
      [closed, false],
      [readable, true],
      [trashed, false],
    ]),
  );
  expect(await standing("ada", "admin")).toEqual({ role: "admin", undecided: [] });
});

test("audience.standing uses the stored membership, whatever the identity claims", async () => {
  const { open, closed } = await furnished();
  const identity = service.as({ [ORGANIZATION]: "admin" }, { id: "eve", teams: ["writers"] });
  const standing = () => identity.audience.standing({ organizationId: ORGANIZATION, spaces: [open, closed] });
  await expect(standing()).rejects.toMatchObject({ code: "NOT_FOUND", message: "Organization: not found" });
  service.directory.member(ORGANIZATION, { user: "eve", role: null, teams: [] });
  const unreadable = [open, closed].sort().map((id) => ({ id, readable: false }));
  expect(await standing()).toEqual({ role: null, undecided: unreadable });
});

test("audience.standing is 404 for strangers", async () => {
  const { all } = await furnished();
  const input = { organizationId: ORGANIZATION, spaces: all };
  await expect(service.as({ beta: "admin" }).audience.standing(input)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
