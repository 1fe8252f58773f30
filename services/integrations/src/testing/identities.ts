import type { UserCaller } from "@octavo/shared/contracts/callers";
import { type Roles, senderTo, userWith } from "@octavo/shared/testing/service";
import { surroundingsOf } from "@octavo/shared/testing/surroundings";

export type { Roles };

export const around = surroundingsOf("integrations");
export const { trustedKeys, signingKey, verifier, self, ownIdentity } = around;

/** Somebody with these roles, and the identity that the gateway signs for them. */
export async function person(roles: Roles, over: Partial<UserCaller> = {}) {
  const caller = userWith(roles, { name: "Ada", ...over });
  return { caller, identity: await around.sign(caller) };
}

/** Sends requests as the gateway forwards them, below `/v1`; `address` is the service's. */
export const sender = (address: string, identity: string) => senderTo(`${address}/v1`, async () => identity);
