import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { createClient } from "../tests/harness/client.js";
import { openDatabase } from "../tests/harness/database.js";
import { furnish } from "../tests/harness/furnish.js";
import { register } from "../tests/harness/people.js";
import { type Stack, startStack } from "../tests/harness/stack.js";
import { type Attack, createTrial, type Party, type Target } from "./attack.js";
import { attacks } from "./attacks.js";
import { type Bystander, startBystander } from "./bystander.js";
import { endedSince, processesOf } from "./processes.js";
import { createRandom } from "./random.js";
import { type Line, table } from "./report.js";

const usage = `npm run attack [-- --short --only <attack>,… --seed <number>]

Starts an Octavo of its own on this machine, attacks it, prints what was tried and what held, and stops it. Ends with 1
when something did not hold: a 5xx without a reason, a process that ended, a user of another organization who was not
served (or, unless --short, waited for more than 250 ms), or what the attack itself claims.
--short  fewer inputs, and no limit on how long others wait
--only   some of: ${attacks.map(({ name }) => name).join(", ")}
--seed   repeats the random inputs of an earlier run`;

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit();
}
const names = values.only?.split(",") ?? attacks.map(({ name }) => name);
const chosen = attacks.filter(({ name }) => names.includes(name));
if (chosen.length < names.length) {
  process.stderr.write(`${usage}\n`);
  process.exit(64);
}
/** The longest that a read of somebody else may take while an attack goes on, in ms. */
const LIMIT_MS = 250;
const full = !values.short;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
process.stdout.write(`Seed ${seed}\n`);

const stack = await startStack();
const lines: Line[] = [];
try {
  const target = await prepare(stack);
  const bystander = await startBystander(stack.base, await target.newParty("Bystander"));
  giveWay();
  try {
    for (const attack of chosen) lines.push(await runAttack(attack, target, bystander));
  } finally {
    await bystander.stop();
    await target.database.close();
  }
} finally {
  await stack.stop();
}
process.stdout.write(`\n${table(lines)}\n`);
process.exit(lines.some(({ broken }) => broken.length > 0) ? 1 : 0);

/** Lets the stack and the bystander go first where processors are few: making inputs is no load of theirs. */
function giveWay() {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

async function prepare(stack: Stack): Promise<Target> {
  const newParty = async (name: string): Promise<Party> => {
    const person = await register(stack, name);
    const call = createClient({ base: stack.base, token: person.token });
    return { person, call, things: await furnish(call) };
  };
  const [attacker, victim] = [await newParty("Attacker"), await newParty("Victim")];
  const { organizationId, siteId } = victim.things;
  await victim.call("POST", `/orgs/${organizationId}/sites/${siteId}/unpublish`);
  return {
    stack,
    database: openDatabase(stack),
    attacker,
    victim,
    random: createRandom(seed),
    full,
    newParty,
  };
}

async function runAttack(attack: Attack, target: Target, bystander: Bystander): Promise<Line> {
  process.stderr.write(`${attack.name} …\n`);
  const before = await processesOf(target.stack);
  const trial = createTrial();
  await bystander.look();
  const began = performance.now();
  await attack.run(target, trial).catch((error: Error) => trial.fail(`it could not go on: ${error.message}`));
  const seconds = (performance.now() - began) / 1000;
  const sight = await bystander.look();
  for (const part of await endedSince(target.stack, before)) trial.fail(`${part} ended`);
  for (const failure of sight.failures) trial.fail(`somebody else was not served: ${failure}`);
  if (sight.requests === 0) trial.fail("nobody else was served");
  if (full && sight.slowest > LIMIT_MS) {
    const [waited, late] = [Math.round(sight.slowest), Math.round(sight.late)];
    trial.fail(
      `somebody else waited for ${waited} ms for ${sight.path}; their own event loop was ${late} ms late at most`,
    );
  }
  const broken = [...trial.broken];
  for (const what of broken.slice(0, 20)) process.stderr.write(`  ${what}\n`);
  if (broken.length > 20) process.stderr.write(`  and ${broken.length - 20} more\n`);
  await target.stack.ready();
  return { attack, inputs: trial.inputs, broken, seconds, slowest: sight.slowest, path: sight.path };
}
