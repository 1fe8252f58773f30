import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { CustomHostname, Lookup, One, Owner } from "./schema.js";

const one = "/custom-hostnames/{hostname}";

export const customHostnames = router({
  get: get(one, {
    operationId: "getCustomHostname",
    permission: "site.view",
    summary: "Get the hostname of a site, with the DNS record that proves it",
  })
    .input(One)
    .output(CustomHostname)
    .query(rules.get),
  update: patch(one, {
    status: 204,
    operationId: "dnsRevalidateCustomHostname",
    permission: "site.update",
    also: "For a hostname that was not the site's before, `space.admin` on each of its spaces as well.",
    summary: "Look for the DNS record of a hostname, by which it is the site's",
  })
    .input(One)
    .output(noContent)
    .mutation(rules.update),
  remove: del(one, {
    operationId: "removeCustomHostname",
    permission: "site.update",
    summary: "Take a hostname away from its site",
  })
    .input(One)
    .output(noContent)
    .mutation(rules.remove),
  lookup: service("gateway").input(Lookup).output(Owner).query(rules.lookup),
});
