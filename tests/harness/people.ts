import { randomUUID } from "node:crypto";
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

/** Makes a new user with a token and an organization of their own, as the launcher makes the first one. */
export async function register(stack: Pick<Stack, "dataDir" | "port">, name: string): Promise<Person> {
  const state = JSON.parse(readFileSync(join(stack.dataDir, "state.json"), "utf8"));
  const signer = createSigner(state.signingKeys.launcher);
  const orgs = orgsClient({
    url: `http://127.0.0.1:${stack.port + ORGS_ABOVE}`,
    identity: () => signer.sign({ kind: "service", service: "launcher" }),
  });
  const unique = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`;
  const [token, email] = [`token-of-${unique}-for-the-journey`, `${unique}@example.com`];
  const { user, organization } = await orgs.bootstrap.ensure.mutate({
    token,
    organization: { title: `${name}'s` },
    user: { displayName: name, email },
  });
  return { id: user, token, organization };
}
