import { fork } from "node:child_process";
import { resolve } from "node:path";
import type { Party } from "./attack.js";

/** What the bystander saw since it was last asked. */
export interface Sight {
  requests: number;
  /** Milliseconds. */
  slowest: number;
  /** The path that took longest. */
  path: string;
  /** The longest that the bystander's own event loop was late, in ms: so much of a wait may be the machine's. */
  late: number;
  /** Responses that were not 200, and requests without one. */
  failures: string[];
}

/** What the process of the bystander is to read. */
export interface Order {
  base: string;
  token: string;
  paths: string[];
}

export interface Bystander {
  look(): Promise<Sight>;
  stop(): Promise<void>;
}

/**
 * Starts a user who reads small things all the time, in a process of its own: what the attacks do with this one's event
 * loop is not measured.
 */
export async function startBystander(base: string, { person, things }: Party): Promise<Bystander> {
  const paths = [
    "/user",
    `/orgs/${person.organization}`,
    `/spaces/${things.spaceId}`,
    `/spaces/${things.spaceId}/content/pages`,
    `/orgs/${person.organization}/sites`,
    `/integrations/${things.integrationName}`,
  ];
  const order: Order = { base, token: person.token, paths };
  const child = fork(resolve(import.meta.dirname, "bystander-process.ts"), [JSON.stringify(order)]);
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const look = () =>
    new Promise<Sight>((done, fail) => {
      child.once("message", (sight) => done(sight as Sight));
      child.send("look", (error) => error && fail(error));
    });
  await new Promise((ready) => child.once("message", ready));
  return {
    look,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
