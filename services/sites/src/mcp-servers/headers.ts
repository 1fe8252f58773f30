import { refuseAt } from "@octavo/shared/errors";
import type { Row } from "../store/mcp-servers.js";
import type { Ctx } from "../trpc.js";
import { MASK } from "./schema.js";

type Headers = Record<string, string>;
type Owner = Pick<Row, "id" | "organization">;

const belongingOf = ({ id, organization }: Owner) => ({ kind: "mcpServer.headers", id, organization });

/** Seals the headers with which a server is called: they hold its credentials. */
export const sealHeaders = ({ vault }: Ctx, owner: Owner, headers: Headers): string =>
  vault.seal(JSON.stringify(headers), belongingOf(owner));

/** Opens the headers of a server. */
export const openHeaders = ({ vault }: Ctx, row: Row): Headers =>
  JSON.parse(vault.open(row.headers, belongingOf(row)));

/** Headers as they are returned: their names, and a mask for each value. */
export const masked = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));

/** What somebody gives, with the values that are known in the place of masks; 400 for a mask of nothing. */
export function unmasked(given: Headers, known: Headers): Headers {
  const values = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== MASK) return [name, value];
      const kept = values.get(name.toLowerCase());
      return [name, kept ?? refuseAt(`body.headers.${name}`, "has no value yet that could stay")];
    }),
  );
}
