import { randomBytes } from "node:crypto";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { jsonb } from "../db/jsonb.js";
import type { Publication } from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { type Asset, assetOf } from "./png.js";
import type { Publish } from "./schema.js";

type Manifest = z.output<typeof Publish>;

/** For what a secret of an integration is sealed: its name in its organization, which the next version keeps. */
export const secretOf = (
  secret: "secrets" | "signingSecret",
  { name, organization }: { name: string; organization: string },
) => ({ kind: `integration.${secret}`, id: name, organization });

/** What a publication becomes in the database: a row, and the pictures as assets. */
export function manifestRow(
  ctx: Pick<Ctx, "vault">,
  organization: string,
  input: Manifest,
): { row: Publication; assets: Asset[] } {
  const icon = input.icon === undefined ? undefined : assetOf("icon", input.icon);
  const previews = input.previewImages.map((image) => assetOf("preview", image));
  const owner = { name: input.integrationName, organization };
  const row = {
    id: newId(),
    name: input.integrationName,
    organization,
    title: input.title,
    description: input.description,
    summary: input.summary ?? null,
    visibility: input.visibility,
    target: input.target,
    scopes: [...new Set(input.scopes)],
    categories: [...new Set(input.categories)],
    blocks: filled(input.blocks),
    block_domains: domainsOf(input.blocks ?? []),
    content_sources: filled(input.contentSources),
    configurations: input.configurations ? jsonb(input.configurations) : null,
    external_links: jsonb(input.externalLinks),
    content_security_policy: input.contentSecurityPolicy ? jsonb(input.contentSecurityPolicy) : null,
    icon: icon?.name ?? null,
    preview_images: previews.map(({ name }) => name),
    secrets: ctx.vault.seal(JSON.stringify(input.secrets), secretOf("secrets", owner)),
    signing_secret: ctx.vault.seal(randomBytes(32).toString("base64url"), secretOf("signingSecret", owner)),
  };
  return { row, assets: icon ? [icon, ...previews] : previews };
}

/** An empty list is kept as none, so that "has blocks" is a question of null alone. */
const filled = (list: unknown[] | undefined) => (list?.length ? jsonb(list) : null);

/** The hosts of the patterns that blocks unfurl: `https://*.example.com/**` is `*.example.com`. */
function domainsOf(blocks: { urlUnfurl?: string[] }[]): string[] {
  const hosts = blocks
    .flatMap(({ urlUnfurl = [] }) => urlUnfurl)
    .map((pattern) => /^(?:[a-z*]+:\/\/)?([^/:]+)/i.exec(pattern)?.[1]?.toLowerCase());
  return [...new Set(hosts.filter((host) => host !== undefined))];
}
