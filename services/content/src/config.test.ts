import { issuesOf } from "@octavo/shared/errors";
import { soundEnvironment } from "@octavo/shared/testing/environment";
import { expect, test } from "vitest";
import { bucketOf, config, translationOf } from "./config.js";

const env = {
  ...soundEnvironment(),
  OCTAVO_DATA_DIR: "/data",
  OCTAVO_ORGS_URL: "http://localhost:4001",
};
const s3 = {
  OCTAVO_S3_ENDPOINT: "https://s3.example",
  OCTAVO_S3_BUCKET: "files",
  OCTAVO_S3_ACCESS_KEY: "key",
  OCTAVO_S3_SECRET_KEY: "secret",
};
const mistakes = (given: object) =>
  issuesOf(config.safeParse({ ...env, ...given }).error ?? { issues: [] }).map(({ path }) => path);

test("files lie in the data folder unless a whole bucket is named", () => {
  expect(bucketOf(config.parse(env))).toBeUndefined();
  expect(bucketOf(config.parse({ ...env, ...s3 }))).toEqual({
    endpoint: "https://s3.example",
    bucket: "files",
    region: "us-east-1",
    accessKeyId: "key",
    secretAccessKey: "secret",
    pathStyle: true,
  });
  const amazon = { ...s3, OCTAVO_S3_REGION: "eu-central-1", OCTAVO_S3_PATH_STYLE: "false" };
  expect(bucketOf(config.parse({ ...env, ...amazon }))).toMatchObject({
    region: "eu-central-1",
    pathStyle: false,
  });
});

test("an incomplete S3 configuration is a mistake, reported together with all others", () => {
  expect(mistakes({ OCTAVO_S3_BUCKET: "files" })).toEqual([
    "OCTAVO_S3_ENDPOINT",
    "OCTAVO_S3_ACCESS_KEY",
    "OCTAVO_S3_SECRET_KEY",
  ]);
  const wrong = { PORT: "x", OCTAVO_S3_BUCKET: "No Name", OCTAVO_S3_ENDPOINT: "ftp://s3" };
  expect(mistakes({ ...wrong, OCTAVO_S3_PATH_STYLE: "maybe", OCTAVO_S3_ACCESS_KEY: "key" })).toEqual(
    expect.arrayContaining([
      "PORT",
      "OCTAVO_S3_BUCKET",
      "OCTAVO_S3_ENDPOINT",
      "OCTAVO_S3_PATH_STYLE",
      "OCTAVO_S3_SECRET_KEY",
    ]),
  );
});

test("nothing translates unless its kind and its address are named", () => {
  expect(translationOf(config.parse(env))).toBeUndefined();
  const url = "http://translate.internal:5000";
  const named = {
    OCTAVO_TRANSLATION_KIND: "openai",
    OCTAVO_TRANSLATION_URL: url,
    OCTAVO_TRANSLATION_KEY: "secret",
  };
  expect(translationOf(config.parse({ ...env, ...named, OCTAVO_TRANSLATION_MODEL: "small" }))).toEqual({
    kind: "openai",
    url,
    key: "secret",
    model: "small",
  });
  expect(mistakes({ OCTAVO_TRANSLATION_KIND: "libretranslate" })).toEqual(["OCTAVO_TRANSLATION_URL"]);
  expect(mistakes({ OCTAVO_TRANSLATION_URL: url })).toEqual(["OCTAVO_TRANSLATION_KIND"]);
});
