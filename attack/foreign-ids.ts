import type { ApiResponse } from "../tests/harness/client.js";
import type { Furniture } from "../tests/harness/furnish.js";
import { makerOf } from "../tests/harness/permissions.js";
import { type Attack, inParallel, type Target, type Trial } from "./attack.js";
import { type Records, recordsOf } from "./records.js";
import { pathOf, type Route, routes } from "./routes.js";

/** Ids of another organization's things, in every place where an operation takes one. */
export const foreignIds: Attack = {
  name: "foreign-ids",
  claim: "nothing of another organization is read, changed or referred to, wherever its ids stand",
  async run(target, trial) {
    const secrets = await plantSecrets(target);
    const before = await recordsOf(target.database, target.victim.things);
    const inputs = [...inPaths(target), ...inQueries(target), ...inBodies(target)];
    await inParallel(inputs, async ({ what, send, mustRefuse }) => {
      const response = await trial.expect(what, send(), (given) => !mustRefuse || given.status >= 400);
      const text = JSON.stringify(response?.body) ?? "";
      for (const secret of secrets) if (text.includes(secret)) trial.fail(`${what}: contains ${secret}`);
    });
    compare(before, await recordsOf(target.database, target.victim.things), trial);
  },
};

interface Input {
  what: string;
  send: () => Promise<ApiResponse>;
  /** Whether a success is wrong in itself. */
  mustRefuse: boolean;
}

/** Texts that only the victim may read. */
async function plantSecrets({ victim: { call, things } }: Target): Promise<string[]> {
  const make = makerOf(call);
  const secret = (what: string) => `secret-${what}-of-the-victim`;
  const { organizationId, spaceId, collectionId, teamId, siteId } = things;
  await make("PATCH", `/orgs/${organizationId}`, { title: secret("organization") });
  await make("PATCH", `/spaces/${spaceId}`, { title: secret("space") });
  await make("PATCH", `/collections/${collectionId}`, { title: secret("collection") });
  await make("PATCH", `/orgs/${organizationId}/teams/${teamId}`, { title: secret("team") });
  await make("PATCH", `/orgs/${organizationId}/sites/${siteId}`, { title: secret("site") });
  await make("POST", `/spaces/${spaceId}/comments`, { body: { markdown: secret("comment") } });
  const changes = [
    { operation: "insert_page", title: secret("page"), document: { markdown: secret("text") } },
  ];
  await make("POST", `/spaces/${spaceId}/change-requests/${things.changeRequestId}/content`, { changes });
  return ["organization", "space", "collection", "team", "site", "comment", "page", "text"].map(secret);
}

/** What is there for everybody, or can be asked without a token. */
const isOpen = ({ auth, operation, path }: Route) =>
  auth === "none" || (operation.open && !path.startsWith("/spaces/"));

/** Every parameter of every path in turn, the others one's own, and all of them together. */
function* inPaths({ attacker, victim }: Target): Iterable<Input> {
  for (const route of routes.filter((route) => route.params.length > 0 && !isOpen(route))) {
    const params = route.params as (keyof Furniture)[];
    const places = params.length > 1 ? [...params.map((param) => [param]), params] : [params];
    for (const foreign of places) {
      // What is created under such a name is one's own, and would be found by it from then on.
      if (foreign.every((param) => OWN_NAMES.has(param) && route.operation.creates === param)) continue;
      const isForeign = (name: string) =>
        foreign.some((param) => (route.operation.named?.[param] ?? param) === name);
      const path = pathOf(route, (name) => (isForeign(name) ? victim : attacker).things[name]);
      const { operation } = route;
      const query = operation.query?.query ? "?query=words" : "";
      // What is not there is deleted already.
      const mustRefuse = route.method !== "DELETE" && !foreign.every((param) => SAME.has(param));
      const own = { ...operation.good, ...(operation.good?.organization ? attackers(attacker.things) : {}) };
      yield {
        what: `${route.name} with the ${foreign.join(", ")} of another`,
        send: () => attacker.call(route.method, `${path}${query}`, route.writes ? own : undefined),
        mustRefuse,
      };
    }
  }
}

/** Named by what they contain, and so alike in both organizations. */
const SAME = new Set<keyof Furniture>(["pagePath", "documentId", "fileId"]);

/** Names that each organization gives for itself. */
const OWN_NAMES = new Set<keyof Furniture>(["specSlug"]);

const attackers = ({ organizationId }: Furniture) => ({ organization: organizationId });

/** The kinds of things that a field of this name refers to. */
const REFERENCES: Record<string, (keyof Furniture)[]> = {
  organization: ["organizationId"],
  parent: ["collectionId"],
  spaceId: ["spaceId"],
  space: ["spaceId"],
  collection: ["collectionId"],
  defaultSiteSpace: ["siteId"],
  defaultTeam: ["teamId"],
  users: ["userId"],
  teams: ["teamId"],
  members: ["userId"],
  add: ["userId"],
  spaces: ["spaceId"],
  page: ["pageId"],
  creator: ["userId"],
  contributor: ["userId"],
  authors: ["userId"],
  actor: ["userId"],
  target: ["spaceId"],
  targetPage: ["pageId"],
  owner: ["userId"],
  code: ["inviteId"],
};
/** Fields of bodies that have to name something of one's own. */
const MUST_REFUSE = new Set([
  "organization",
  "parent",
  "spaceId",
  "space",
  "collection",
  "defaultTeam",
  "add",
  "members",
]);

function* inQueries({ attacker, victim }: Target): Iterable<Input> {
  for (const route of routes) {
    for (const field of Object.keys(route.operation.query ?? {})) {
      for (const kind of REFERENCES[field] ?? []) {
        const path = pathOf(route, (name) => attacker.things[name]);
        const query = new URLSearchParams({ [field]: victim.things[kind] });
        yield {
          what: `${route.name} with another's ${kind} as ${field}`,
          send: () => attacker.call(route.method, `${path}?${query}`),
          mustRefuse: false,
        };
      }
    }
  }
}

/** Every field of every body: with the id of each kind of thing, alone and in a list. */
function* inBodies({ attacker, victim, full }: Target): Iterable<Input> {
  const kinds = Object.keys(victim.things) as (keyof Furniture)[];
  for (const route of routes.filter(({ writes, operation }) => writes && !operation.form)) {
    const path = pathOf(route, (name) => attacker.things[name]);
    for (const field of Object.keys(route.operation.body ?? {})) {
      const named = REFERENCES[field] ?? [];
      for (const kind of full ? new Set([...named, ...kinds]) : named) {
        const id = victim.things[kind];
        for (const value of [id, [id]]) {
          yield {
            what: `${route.name} with another's ${kind} as ${field}`,
            send: () => attacker.call(route.method, path, { ...route.operation.good, [field]: value }),
            mustRefuse: named.includes(kind) && MUST_REFUSE.has(field),
          };
        }
      }
    }
  }
  yield* deepInBodies({ attacker, victim });
}

function* deepInBodies({ attacker, victim }: Pick<Target, "attacker" | "victim">): Iterable<Input> {
  const { organizationId, spaceId, collectionId, changeRequestId, teamId } = attacker.things;
  const { things } = victim;
  const position = { after: { type: "page", page: things.pageId } };
  const bodies: [method: string, path: string, body: object][] = [
    ["POST", `/spaces/${spaceId}/move`, { position: { after: { type: "space", space: things.spaceId } } }],
    [
      "POST",
      `/collections/${collectionId}/move`,
      { position: { before: { type: "collection", collection: things.collectionId } } },
    ],
    [
      "PUT",
      `/orgs/${organizationId}/teams/${teamId}/members`,
      { memberships: { [things.userId]: { role: "owner" } } },
    ],
    ["PATCH", `/orgs/${organizationId}`, { defaultContent: { type: "site", site: things.siteId } }],
    ["PATCH", `/orgs/${organizationId}`, { defaultContent: { type: "space", space: things.spaceId } }],
    ...[
      { operation: "update_page", page: things.pageId, document: { markdown: "Taken" } },
      { operation: "delete_page", page: things.pageId },
      { operation: "insert_page", title: "x", into: things.pageId, document: { markdown: "x" } },
      { operation: "move_page", page: things.pageId, ...position },
      { operation: "revert_page", page: things.pageId, revision: things.revisionId },
      { operation: "revert_page", page: attacker.things.pageId, revision: things.revisionId },
      { operation: "revert_file", file: things.fileId, revision: things.revisionId },
      {
        operation: "update_reusable_content",
        reusableContent: things.reusableContentId,
        document: { markdown: "Taken" },
      },
      { operation: "delete_reusable_content", reusableContent: things.reusableContentId },
    ].map((change): [string, string, object] => [
      "POST",
      `/spaces/${spaceId}/change-requests/${changeRequestId}/content`,
      { changes: [change] },
    ]),
  ];
  for (const [method, path, body] of bodies) {
    yield {
      what: `${method} ${path.replaceAll(/\w{16,}/g, "{}")} with ${JSON.stringify(body).slice(0, 100)}`,
      send: () => attacker.call(method, path, body),
      mustRefuse: true,
    };
  }
}

function compare(before: Records, after: Records, trial: Trial) {
  for (const [table, rows] of before) {
    const now = after.get(table) ?? new Set();
    const gone = [...rows].filter((row) => !now.has(row)).length;
    if (gone > 0) trial.fail(`${gone} rows of the victim in ${table} were changed or deleted`);
  }
}
