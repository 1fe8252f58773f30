import { neighbour, serviceConfig } from "@octavo/shared/config";
import { z } from "zod";
import type { Bucket } from "./storage/s3-client.js";
import type { TranslationSettings } from "./translators/configured.js";

const NEEDED = [
  "OCTAVO_S3_ENDPOINT",
  "OCTAVO_S3_BUCKET",
  "OCTAVO_S3_ACCESS_KEY",
  "OCTAVO_S3_SECRET_KEY",
] as const;

const variables = serviceConfig.extend({
  /** Where files, unless there is a bucket for them, and clones of repositories lie. */
  OCTAVO_DATA_DIR: z.string().min(1),
  /** orgs, which content asks who belongs where. */
  OCTAVO_ORGS_URL: neighbour,
  /** A server that speaks S3, and the bucket for files. */
  OCTAVO_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OCTAVO_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional(),
  OCTAVO_S3_REGION: z.string().min(1).default("us-east-1"),
  OCTAVO_S3_ACCESS_KEY: z.string().min(1).optional(),
  OCTAVO_S3_SECRET_KEY: z.string().min(1).optional(),
  /** `false`: the bucket stands in the host of an address, as Amazon wants it. */
  OCTAVO_S3_PATH_STYLE: z
    .enum(["true", "false"])
    .default("true")
    .transform((value) => value === "true"),
  /** Versions of an OpenAPI specification that are kept, the latest among them. */
  OCTAVO_OPENAPI_VERSIONS: z.coerce.number().int().min(1).max(10_000).default(100),
  /** What translates spaces: a server that speaks OpenAI's chat completions, or LibreTranslate. */
  OCTAVO_TRANSLATION_KIND: z.enum(["openai", "libretranslate"]).optional(),
  OCTAVO_TRANSLATION_URL: z.url({ protocol: /^https?$/ }).optional(),
  OCTAVO_TRANSLATION_KEY: z.string().min(1).optional(),
  /** The model that is asked, where the server has several. */
  OCTAVO_TRANSLATION_MODEL: z.string().min(1).default("gpt-4o-mini"),
});

export type Config = z.output<typeof variables>;

/** Variables that stand together: who names one of them names all. */
const TOGETHER = [NEEDED, ["OCTAVO_TRANSLATION_KIND", "OCTAVO_TRANSLATION_URL"]] as const;

/** The environment of content; who names a part of a bucket, or of a translator, names all of it. */
export const config = TOGETHER.flatMap((names) => names.map((name) => [name, names] as const)).reduce(
  (shape, [name, names]) =>
    shape.refine((given) => isWhole(given, name, names), {
      path: [name],
      message: `is needed, for another ${name.replace(/_[A-Z]+(_KEY)?$/, "_")} variable is set`,
      // Besides all other mistakes, not only when there are none.
      when: () => true,
    }),
  variables,
);

type Name = (typeof TOGETHER)[number][number];

function isWhole(given: Partial<Config>, name: Name, names: readonly Name[]): boolean {
  return given[name] !== undefined || names.every((other) => given[other] === undefined);
}

/** What translates, when something does. */
export function translationOf(given: Config): TranslationSettings | undefined {
  const { OCTAVO_TRANSLATION_KIND: kind, OCTAVO_TRANSLATION_URL: url } = given;
  const { OCTAVO_TRANSLATION_KEY: key, OCTAVO_TRANSLATION_MODEL: model } = given;
  return kind && url ? { kind, url, model, ...(key && { key }) } : undefined;
}

/** Where files are kept, when that is a bucket. */
export function bucketOf(given: Config): Bucket | undefined {
  const { OCTAVO_S3_ENDPOINT: endpoint, OCTAVO_S3_BUCKET: bucket } = given;
  const { OCTAVO_S3_ACCESS_KEY: accessKeyId, OCTAVO_S3_SECRET_KEY: secretAccessKey } = given;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return;
  const { OCTAVO_S3_REGION: region, OCTAVO_S3_PATH_STYLE: pathStyle } = given;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle };
}
