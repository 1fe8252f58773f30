import type { Coalesce } from "@octavo/shared/coalesce";
import type { BaseContext, RuleCall } from "@octavo/shared/context";
import type { Egress } from "@octavo/shared/egress/client";
import type { Vault } from "@octavo/shared/secrets";
import { createApi } from "@octavo/shared/trpc";
import type { z } from "zod";
import type { ContentCache } from "./cache.js";
import type { Database } from "./db/database.js";
import type { SpecReader } from "./openapi-documents/reader.js";
import type { Orgs } from "./orgs/orgs.js";
import { PERMISSIONS } from "./permissions.js";
import type { Presses } from "./press/presses.js";
import type { FileStorage } from "./storage/storage.js";
import type { Translator } from "./translators/translator.js";
import type { Work } from "./work/threads.js";
import type { WholeReads } from "./work/whole-reads.js";

/** What the rules of content reach besides the database. */
export interface Dependencies {
  egress: Egress;
  vault: Vault;
  storage: FileStorage;
  /** Who there is and where they belong. */
  orgs: Orgs;
  /** A folder for clones of repositories. */
  workFolder: string;
  /** Signs the addresses of downloads. */
  downloadKey: string;
  /** Content that was read lately. */
  cache: ContentCache;
  /** Combines reads of the same that come at once. */
  coalesce: Coalesce;
  /** Bounds what reads of whole spaces take at a time. */
  wholeReads: WholeReads;
  /** What takes long for large texts. */
  work: Work;
  /** Reads OpenAPI documents. */
  specReader: SpecReader;
  /** Versions of an OpenAPI specification that are kept. */
  keptSpecVersions: number;
  /** Makes PDFs. */
  presses: Presses;
  /** What translates texts; undefined when the operator has configured nothing. */
  translator: Translator | undefined;
}

export type Ctx = BaseContext<Database> & Dependencies;
export type Call<Input extends z.ZodType> = RuleCall<Ctx, Input>;
export const { router, createCaller, get, post, patch, put, del, internal, shown, service } = createApi<
  Ctx,
  typeof PERMISSIONS
>(PERMISSIONS);
