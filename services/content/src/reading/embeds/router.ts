import { ANYBODY } from "@octavo/shared/trpc";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Embed, GetEmbed, InSpace } from "./schema.js";

export const embeds = router({
  get: get("/urls/embed", {
    operationId: "getEmbedByUrl",
    permission: ANYBODY,
    summary: "Get how the content of an address can be shown on a page",
  })
    .input(GetEmbed)
    .output(Embed)
    .query(rules.get),
  inSpace: get("/spaces/{spaceId}/embed", {
    operationId: "getEmbedByUrlInSpace",
    permission: "space.view",
    also: "Everybody may while the space is public.",
    summary: "Get how the content of an address can be shown on a page of a space",
    scope: "space:content:read",
    reader: true,
  })
    .input(InSpace)
    .output(Embed)
    .query(rules.inSpace),
});
