import { afterAll, expect, test } from "vitest";
import { startSmtp } from "../../mail/testing-smtp.js";
import { startOrgs } from "../../testing/orgs.js";

const smtp = await startSmtp();
const without = await startOrgs();
const mailed = await startOrgs({ smtpUrl: smtp.url });
afterAll(async () => {
  await Promise.all([without.end(), mailed.end()]);
  await smtp.close();
});

/** An administrator, and addresses of which every second has an account already. */
async function furnished({ rows, as }: typeof without, count: number) {
  const organizationId = await rows.organization();
  const { caller } = await as({ [organizationId]: "admin" });
  const emails = Array.from(
    { length: count },
    (_, at) => `${at}-of-${organizationId.toLowerCase()}@example.com`,
  );
  for (const email of emails.filter((_, at) => at % 2 === 1)) await rows.person({ email });
  return { organizationId, caller, emails };
}

test.each([
  ["without mail", without],
  ["by mail", mailed],
])("a hundred addresses are invited %s by as many statements as two, each of them once", async (_, orgs) => {
  const invite = async (count: number) => {
    const { organizationId, caller, emails } = await furnished(orgs, count);
    const statements = await orgs.queriesOf(caller, (call) => call.invites.send({ organizationId, emails }));
    const { items } = await orgs.asCaller(caller).call.invites.list({ organizationId, limit: 100 });
    expect(items.map(({ email }) => email).sort()).toEqual(emails.toSorted());
    return statements;
  };
  expect(await invite(100)).toBe(await invite(2));
});

test("what an administrator made ends by as many statements for many as for one", async () => {
  const { as, queriesOf } = without;
  const remove = async (count: number) => {
    const { organizationId, caller, emails } = await furnished(without, count);
    const bob = await as({ [organizationId]: "admin" });
    await bob.call.invites.send({ organizationId, emails: emails.filter((_, at) => at % 2 === 1) });
    for (const _ of emails) await bob.call.linkInvites.create({ organizationId, role: "read" });
    return queriesOf(caller, (call) => call.members.remove({ organizationId, userId: bob.id }));
  };
  expect(await remove(20)).toBe(await remove(2));
});
