import { httpUrl, id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

const MOST_HEADERS = 20;
/** Stands for the value of a header, which is never returned; given back, it leaves the value as it is. */
export const MASK = "********";

const headerName = text(128, 1).regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of a header");
const headerValue = text(512, 1).regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be what a header can hold");
const headers = z
  .record(headerName, headerValue)
  .refine((given) => Object.keys(given).length <= MOST_HEADERS, `must be at most ${MOST_HEADERS}`)
  .refine(
    (given) =>
      new Set(Object.keys(given).map((name) => name.toLowerCase())).size === Object.keys(given).length,
    "must not name a header twice",
  );
const name = text(100, 1);

export const SiteMcpServer = z
  .object({
    object: z.literal("site-mcp-server"),
    id: z.string(),
    name: z.string(),
    url: z.string(),
    /** The names alone mean something: values are never returned. */
    headers: z.record(z.string(), z.string()),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: "SiteMcpServer" });
export type SiteMcpServer = z.output<typeof SiteMcpServer>;

export const OneServer = OneSite.extend({ siteMcpServerId: id });
export const List = OneSite.extend(paging);
export const SiteMcpServerList = listOf(SiteMcpServer);
export const Create = OneSite.extend({ name, url: httpUrl, headers });
export const Update = OneServer.extend({
  name: name.optional(),
  url: httpUrl.optional(),
  headers: headers.optional(),
});
