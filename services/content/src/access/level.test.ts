import type { Caller, IntegrationCaller, UserCaller } from "@octavo/shared/contracts/callers";
import type { Level, Role } from "@octavo/shared/contracts/roles";
import { errorBody } from "@octavo/shared/errors";
import { expect, test } from "vitest";
import { roleFor, type SpaceAction } from "../permissions.js";
import {
  administersAny,
  allowSpace,
  type Container,
  type Grant,
  levelOn,
  mayView,
  memberOf,
  subjectsOf,
} from "./level.js";

const user = (role?: Role | null): UserCaller => ({
  kind: "user",
  id: "eve",
  name: "Eve",
  teams: ["writers", "readers"],
  token: "t",
  organizations: role === undefined ? { beta: "admin" } : { acme: role },
});
const script: IntegrationCaller = {
  kind: "integration",
  integration: "witness",
  installation: "i",
  token: "t",
  scopes: [],
  organization: "acme",
};
const only = (...but: string[]) => ({ all: false, but });
const writer = (spaces?: string[]): IntegrationCaller => ({
  ...script,
  scopes: ["space:content:write"],
  spaces: spaces && only(...spaces),
});
const service: Caller = { kind: "service", service: "sites" };

const container = (
  default_level: Container["default_level"],
  grants: Grant[] = [],
  created_by = "ada",
): Container => ({ id: "c", created_by, default_level, grants });
const own = (role: Role): Grant => ({ kind: "user", role });
const team = (role: Role): Grant => ({ kind: "team", role });

test.each<[what: string, caller: Caller, containers: Container[], level: Level]>([
  ["an administrator has everything", user("admin"), [container(null, [own("read")])], "admin"],
  ["a service has everything", service, [container(null)], "admin"],
  ["a stranger has nothing", user(), [container("admin", [own("admin")])], undefined],
  ["a member has the role in the organization", user("edit"), [container("inherit")], "edit"],
  ["a default level replaces the role", user("edit"), [container("read"), container("review")], "read"],
  ["an inherited level is the next one out", user("edit"), [container("inherit"), container("read")], "read"],
  ["nobody has a thing that is closed", user("create"), [container(null), container("edit")], null],
  ["who created what is closed may create", user("read"), [container(null, [], "eve")], "create"],
  ["who created what is open has what is given", user("read"), [container("edit", [], "eve")], "edit"],
  ["a guest has nothing", user(null), [container("inherit")], null],
  ["a guest has no default level", user(null), [container("edit")], null],
  ["a guest has nothing created", user(null), [container(null, [], "eve")], null],
  [
    "a guest has what is granted further out",
    user(null),
    [container("inherit"), container("inherit", [team("edit")])],
    "edit",
  ],
  [
    "a default level closes what is granted further out",
    user(null),
    [container("edit"), container("inherit", [own("edit")])],
    null,
  ],
  ["a grant comes before the default level", user("edit"), [container("review", [own("read")])], "read"],
  [
    "an own grant comes before a higher one of a team",
    user("edit"),
    [container(null, [team("admin"), own("comment"), team("admin")])],
    "comment",
  ],
  [
    "the highest grant of the teams counts",
    user("read"),
    [container(null, [team("edit"), team("create"), team("read")])],
    "create",
  ],
  ["a script may read", script, [container("inherit")], "read"],
  ["a script may at most read", script, [container("create")], "read"],
  ["a script does not reach what is closed", script, [container(null)], null],
  ["a script has created nothing", script, [container(null, [], "eve")], null],
  ["a script that may write does what members with `create` may", writer(), [container("inherit")], "create"],
  [
    "a script that may sync with git does what members with `create` may",
    { ...script, scopes: ["space:git:sync"] },
    [container("inherit")],
    "create",
  ],
  ["a script that may write is held to default levels", writer(), [container("read")], "read"],
  [
    "a script that may write is held to them further out",
    writer(),
    [container("inherit"), container("edit")],
    "edit",
  ],
  ["a script has no more than `create`", writer(), [container("admin")], "create"],
  ["a script reaches what it is installed on, closed or not", writer(["c"]), [container(null)], "create"],
  ["a script reads what it is installed on", { ...script, spaces: only("c") }, [container("edit")], "read"],
  ["a script has nothing of what it is not installed on", writer(["d"]), [container("admin")], undefined],
  [
    "a script has nothing where it was taken out",
    { ...script, spaces: { all: true, but: ["c"] } },
    [container("read")],
    undefined,
  ],
  [
    "a script has the rest of what it works in",
    { ...script, spaces: { all: true, but: ["d"] } },
    [container("read")],
    "read",
  ],
  [
    "a script of elsewhere has nothing by an id",
    { ...writer(["c"]), organization: "beta" },
    [container("edit")],
    undefined,
  ],
  ["a script of elsewhere has nothing", { ...script, organization: "beta" }, [container("edit")], undefined],
])("%s", (_, caller, containers, level) => {
  expect(levelOn(caller, { organization: "acme", containers })).toBe(level);
});

test("grants are kept under a user and the user's teams, and under nothing of a script or a service", () => {
  expect(subjectsOf(user())).toEqual(["eve", "writers", "readers"]);
  expect([subjectsOf(script), subjectsOf(service)]).toEqual([[], []]);
});

test("a member is the caller with the one role and the teams that orgs returns", () => {
  const member = memberOf("acme", { user: "eve", role: "edit", teams: ["writers"] });
  expect(member).toMatchObject({
    kind: "user",
    id: "eve",
    organizations: { acme: "edit" },
    teams: ["writers"],
  });
  expect(Object.keys(member.organizations)).toEqual(["acme"]);
});

test("administrators of any organization are distinguished from those of none", () => {
  expect([user("admin"), user(), service].map(administersAny)).toEqual([true, true, true]);
  expect([user("create"), user(null), script].map(administersAny)).toEqual([false, false, false]);
});

/** A space that lies in nothing and has no grants. */
const viewed = (visibility: "public" | "private", shown: number | null = null) => ({
  id: "guide",
  organization: "acme",
  containers: [],
  visibility,
  shown,
  conditions: null,
});

test("a visitor of a site views what it shows until its audience is narrowed, however visible it is", () => {
  const reader: Caller = {
    kind: "reader",
    organization: "acme",
    site: "s",
    epoch: 2,
    space: "x",
    revision: "r",
    token: "t",
  };
  for (const visibility of ["public", "private"] as const) {
    const shown = [null, 0, 2, 3].map((epoch) => mayView(reader, viewed(visibility, epoch)));
    expect(shown).toEqual([false, true, true, false]);
  }
  for (const action of ["space.edit", "space.admin"] as const) {
    expect(() => allowSpace(reader, viewed("public", 0), action)).toThrow("Space: not found");
  }
});

test("the content of a public space is viewed by anybody, of another by who may read it", () => {
  const people = [user(), user(null), user("read"), user("admin")];
  expect(people.map((one) => mayView(one, viewed("public")))).toEqual([true, true, true, true]);
  expect(people.map((one) => mayView(one, viewed("private")))).toEqual([false, false, true, true]);
  const elsewhere: Caller = { ...script, organization: "beta" };
  expect(mayView(elsewhere, viewed("public"))).toBe(false);
  expect(mayView({ ...script, spaces: only("another") }, viewed("public"))).toBe(false);
});

test.each<[Level, "public" | "private", SpaceAction, status: number]>([
  [undefined, "private", "space.view", 404],
  [null, "private", "space.view", 404],
  ["read", "private", "space.view", 200],
  [undefined, "public", "space.view", 200],
  [undefined, "public", "space.access", 404],
  [null, "public", "space.edit", 404],
  ["read", "private", "space.access", 200],
  ["read", "public", "space.edit", 403],
  ["edit", "private", "space.edit", 200],
])("who has %s on a %s space and needs %s gets %i", (level, visibility, need, status) => {
  const outcome = () => {
    try {
      allowSpace(user(level), viewed(visibility), need);
      return { status: 200 };
    } catch (error) {
      return errorBody(error, "");
    }
  };
  expect(outcome()).toMatchObject({ status });
  if (status === 404) expect(outcome()).toMatchObject({ body: { error: { message: "Space: not found" } } });
  if (status === 403)
    expect(outcome()).toMatchObject({
      body: { error: { message: `Space: needs the role ${roleFor(need)}` } },
    });
});
