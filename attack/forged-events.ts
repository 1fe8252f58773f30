import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import type { Attack, Target } from "./attack.js";

/** NATS listens so far above the gateway. */
const NATS_ABOVE = 22;
const ARRIVES_WITHIN_MS = 3_000;

/** Events that somebody else on the machine publishes, with no more than the port to know. */
export const forgedEvents: Attack = {
  name: "forged-events",
  claim: "who has no credentials of a service publishes no event, reads none and deletes none",
  async run(target, trial) {
    const servers = `127.0.0.1:${target.stack.port + NATS_ABOVE}`;
    for (const credentials of [{}, { user: "content", pass: "content" }, { token: "octavo" }]) {
      trial.tried();
      const connection = await connect({ servers, reconnect: false, timeout: 3_000, ...credentials }).catch(
        () => undefined,
      );
      if (!connection) continue;
      trial.fail(`NATS lets in ${JSON.stringify(credentials)}`);
      try {
        for (const event of forgeries(target)) {
          trial.tried();
          connection.publish(`octavo.events.${event.name}`, JSON.stringify(event));
        }
        await connection.flush();
      } finally {
        await connection.close();
      }
    }
    await sleep(ARRIVES_WITHIN_MS);
    for (const what of await believed(target)) trial.fail(what);
  },
};

function forgeries({ attacker, victim }: Target) {
  const { organizationId: organization, userId: user, spaceId: space, siteId: site } = victim.things;
  const event = (name: string, aggregate: string, payload: object) => ({
    id: randomUUID(),
    name,
    version: 1,
    aggregate,
    occurredAt: new Date().toISOString(),
    payload,
  });
  const shown = [{ space, visibility: "public", url: "http://127.0.0.1:9/" }];
  return [
    event("sites.site.audience", site, { site, organization, published: true, spaces: shown }),
    event("orgs.member.removed", organization, { organization, user }),
    event("orgs.invite.accepted", organization, {
      organization,
      user: attacker.things.userId,
      target: { type: "space", id: space },
      level: "admin",
    }),
    event("orgs.user.updated", user, { user, displayName: "Forged" }),
  ];
}

/** What came of the forgeries, in words. */
async function believed({ attacker, victim, database }: Target): Promise<string[]> {
  const { spaceId: space, organizationId: organization, userId: user } = victim.things;
  const seen = await attacker.call("GET", `/spaces/${space}`);
  const still = await victim.call("GET", `/spaces/${space}`);
  const grants = await database.query(
    "select from content.content_grant where target = $1 and subject = $2",
    [space, attacker.things.userId],
  );
  const members = await database.query("select from orgs.member where organization = $1 and person = $2", [
    organization,
    user,
  ]);
  return [
    ...(seen.status === 404 ? [] : [`a closed space was opened: ${seen.status}`]),
    ...(still.status === 200 ? [] : [`an administrator lost their space: ${still.status}`]),
    ...(grants.length === 0 ? [] : ["a stranger was granted a space"]),
    ...(members.length === 1 ? [] : ["an administrator lost their organization"]),
  ];
}
