import { createHash } from "node:crypto";

/** An invite as the audit names it: its id is for who is invited alone. */
export const targetOf = ({ id }: { id: string }) => ({
  type: "invite",
  id: createHash("sha256").update(id).digest("hex").slice(0, 20),
});
