import { expect } from "vitest";
import { eventually } from "./client.js";
import { type Database, SERVICES } from "./database.js";
import type { Tunnel } from "./tunnel.js";

// What the event tables of a stack must say when everything has come to rest.

/** Resolves when every event has left and was handled, and every write stands in the audit; fails when one is parked. */
export async function expectSettled({ query }: Database, withinMs = 45_000): Promise<void> {
  await eventually(async () => {
    for (const service of SERVICES) {
      const [row] = await query<{ open: number }>(
        `select (select count(*) from ${service}.outbox where published_at is null)
           + (select count(*) from ${service}.inbox where handled_at is null and parked_at is null)
           + (select count(*) from ${service}.outbox where name = 'audit.entry.recorded'
              and not exists (select from orgs.audit_event where id = body->'payload'->>'id')) as open`,
      );
      if (Number(row?.open) > 0) return false;
    }
    const [deliveries] = await query<{ open: string }>(
      "select count(*) as open from integrations.event where status is null",
    );
    return Number(deliveries?.open) === 0;
  }, withinMs);
  for (const service of SERVICES) {
    expect(await query(`select id, error from ${service}.inbox where parked_at is not null`)).toEqual([]);
  }
}

/** Every new revision of the installation's organization was emitted, delivered and recorded once. */
export async function expectDeliveredOnce({ query }: Database, tunnel: Tunnel, installation: string) {
  const emitted = await query<{ revision: string }>(
    `select body->'payload'->>'revision' as revision from content.outbox o
     join integrations.installation i on i.id = $1 and i.organization = o.body->'payload'->>'organization'
     where o.name = 'content.content.updated' and o.occurred_at > i.created_at order by 1`,
    [installation],
  );
  // What the broker has and integrations has not read yet stands in no table that `expectSettled` counts.
  const recorded = await eventually(async () => {
    const rows = await query<{ revision: string; status: string | null }>(
      `select payload->>'revisionId' as revision, status from integrations.event
       where installation = $1 and payload->>'type' = 'space_content_updated' order by 1`,
      [installation],
    );
    const isDelivered = rows.length >= emitted.length && rows.every(({ status }) => status !== null);
    return isDelivered ? rows : undefined;
  });
  expect(recorded).toEqual(emitted.map(({ revision }) => ({ revision, status: "success" })));
  const ids = await query<{ id: string }>(
    "select id from integrations.event where installation = $1 order by id",
    [installation],
  );
  const delivered = tunnel.received.filter(({ event }) => event.installationId === installation);
  const answered = tunnel.answered.filter((id) => delivered.some(({ event }) => event.eventId === id));
  expect(answered.toSorted()).toEqual(ids.map(({ id }) => id));
}

/** What content believes about who sees which space becomes what the sites say. */
export async function expectSameAudience({ query }: Database) {
  await eventually(async () => {
    const believed = await query("select site, space, visibility from content.audience order by 1, 2");
    const expected = await query(
      `select s.id as site, p.space,
         case when coalesce(p.condition, x.condition) is not null and s.visibility in ('public', 'unlisted')
           then 'visitor-auth' else s.visibility end as visibility
       from sites.site s join sites.site_space p on p.site = s.id left join sites.site_section x on x.id = p.section
       where s.published and p.trashed_at is null order by 1, 2`,
    );
    expect(believed).toEqual(expected);
    return true;
  });
}
