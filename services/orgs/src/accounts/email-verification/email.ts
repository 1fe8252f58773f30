import type { Email } from "../../network/mailer.js";

/** The letter with a code. */
export const verificationEmail = (code: string, to: string): Email => ({
  to,
  subject: "Confirm your e-mail address",
  text: `Hello,

somebody, probably you, wants to confirm that ${to} is their e-mail address. The code is

    ${code}

It is good for 15 minutes, and once. Whoever has it can act as you: pass it on to nobody.

If it was not you, there is nothing to do.
`,
});
