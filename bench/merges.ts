import type { Client } from "../tests/harness/client.js";
import { type Line, median } from "./report.js";
import { merge, pageAt, proposeEdit, spaceOf, timed } from "./spaces.js";

const requests = 200;
const edge = 20;

/** 200 change requests of one revision, each with a page of its own, merged one after another. */
export async function measureMerges(call: Client): Promise<Line[]> {
  const space = await spaceOf(call, 1_000);
  const opened: string[] = [];
  for (let step = 0; step < requests; step++)
    opened.push(await proposeEdit(call, space, pageAt(space, step), `Proposal ${step}`));
  const times: number[] = [];
  for (const changeRequest of opened) await timed(times, () => merge(call, changeRequest));
  const [first, last] = [median(times.slice(0, edge)), median(times.slice(-edge))];
  return [
    {
      what: `merging ${requests} change requests, the last ${edge} against the first`,
      measured: `${last.toFixed(1)} ms`,
      reference: `${first.toFixed(1)} ms`,
      result: last / first,
      target: { atMost: 1.3 },
    },
  ];
}
