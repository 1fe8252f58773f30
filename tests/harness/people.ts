import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orgsClient } from "@octavo/orgs/client";
import { createSigner } from "@octavo/shared/identity";
import type { Stack } from "./stack.js";

export interface Person {
  id: string;
  token: string;
  /** The organization that the person administers. */
  organization: string;
}

const ORGS_ABOVE = 1;

/** Makes a user with a token and an organization of their own, as the launcher makes the first one. */
export async function register(stack: Stack, name: string): Promise<Person> {
  const state = JSON.parse(readFileSync(join(stack.dataDir, "state.json"), "utf8"));
  const signer = createSigner(state.signingKeys.launcher);
  const orgs = orgsClient({
    url: `http://127.0.0.1:${stack.port + ORGS_ABOVE}`,
    identity: () => signer.sign({ kind: "service", service: "launcher" }),
  });
  const token = `token-of-${name.toLowerCase()}-for-the-journey`;
  const { user, organization } = await orgs.bootstrap.ensure.mutate({
    token,
    organization: { title: `${name}'s` },
    user: { displayName: name, email: `${name.toLowerCase()}@example.com` },
  });
  return { id: user, token, organization };
}
