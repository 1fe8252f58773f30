import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeEach, expect, test } from "vitest";
import { libreTranslator } from "./libretranslate.js";
import { openAITranslator } from "./openai.js";
import { endlessServer, libreTranslateServer, openAIServer } from "./testing.js";
import { ProviderError } from "./translator.js";

const openAI = await openAIServer();
const libre = await libreTranslateServer();
afterAll(() => Promise.all([openAI.close(), libre.close()]));
beforeEach(() => {
  openAI.requests.length = 0;
  openAI.behaviour.failures = [];
  openAI.behaviour.translate = (texts) => texts.map((text) => text.toUpperCase());
});

const never = new AbortController().signal;
const request = {
  texts: ["One <g0>word</g0>", "Two <x0/>"],
  from: "en",
  to: "pt-br",
  instructions: "",
  glossary: [],
};
const model = openAITranslator({ url: `${openAI.url}/`, model: "any-model", key: "secret", pauseMs: 1 });

test("a request to an OpenAI-compatible server has the model, the key, the terms and the instructions", async () => {
  const glossary: [string, string][] = [["word", "palavra"]];
  const translated = await model.translate({ ...request, instructions: "Be brief.", glossary }, never);
  expect(translated).toEqual(["ONE <G0>WORD</G0>", "TWO <X0/>"]);
  const [{ headers, body }] = openAI.requests as [(typeof openAI.requests)[number]];
  expect(headers.authorization).toBe("Bearer secret");
  expect(body).toMatchObject({ model: "any-model", response_format: { type: "json_object" } });
  const [system, user] = body.messages;
  for (const expected of ['"en"', '"pt-br"', '- "word": "palavra"', "Be brief."])
    expect(system.content).toContain(expected);
  expect(JSON.parse(user.content)).toEqual({ texts: request.texts });
});

test("a request to a LibreTranslate server has HTML, its own names of languages, and the key", async () => {
  const translator = libreTranslator({ url: libre.url, key: "secret", pauseMs: 1 });
  expect(await translator.translate(request, never)).toEqual(["ONE <g0>WORD</g0>", "TWO <x0></x0>"]);
  expect(libre.requests.at(-1)!.body).toMatchObject({ source: "en", target: "pt-BR", format: "html" });
  const wrong = libreTranslator({ url: libre.url, pauseMs: 1 }).translate(request, never);
  await expect(wrong).rejects.toThrow("The provider responded with 403");
});

test("what passes by itself is tried again, after the time that the provider names; what does not is not", async () => {
  openAI.behaviour.failures = [
    { status: 503, body: {} },
    { status: 429, headers: { "retry-after": "0" }, body: {} },
  ];
  expect(await model.translate(request, never)).toHaveLength(2);
  expect(openAI.requests).toHaveLength(3);
  openAI.behaviour.failures = [{ status: 401, body: {} }];
  await expect(model.translate(request, never)).rejects.toThrow("The provider responded with 401");
  openAI.behaviour.failures = Array.from({ length: 4 }, () => ({ status: 500, body: {} }));
  await expect(model.translate(request, never)).rejects.toThrow("The provider responded with 500");
  expect(openAI.requests).toHaveLength(8);
});

test("what is no translation of each text is an error, and so is nobody at all", async () => {
  for (const response of [["only one"], "a text", [1, 2], undefined]) {
    openAI.behaviour.translate = () => response;
    await expect(model.translate(request, never)).rejects.toThrow(ProviderError);
  }
  for (const body of ["<html>", { choices: [] }, { choices: [{ message: { content: "no JSON" } }] }]) {
    openAI.behaviour.failures = [{ body }];
    await expect(model.translate(request, never)).rejects.toThrow(ProviderError);
  }
  const nobody = openAITranslator({ url: "http://127.0.0.1:9/v1", model: "any", pauseMs: 1 });
  await expect(nobody.translate(request, never)).rejects.toThrow("The provider could not be reached");
});

test.each([
  ["silent", "The provider did not respond in time", 4],
  ["dripping", "The provider did not respond in time", 4],
  ["flooding", "The provider responded with too much", 1],
] as const)("a provider that is %s is given up: %s, after %i tries", async (way, problem, tries) => {
  const server = await endlessServer(way);
  const { url, counts } = server;
  const patience = { pauseMs: 1, responseMs: way === "flooding" ? 60_000 : 200 };
  for (const translator of [
    openAITranslator({ url, model: "any", ...patience }),
    libreTranslator({ url, ...patience }),
  ])
    await expect(translator.translate(request, never)).rejects.toThrow(new ProviderError(problem));
  expect(counts.requests).toBe(2 * tries);
  await waitFor(async () => counts.ended === counts.requests);
  await server.close();
});

test("a stop ends a request, and is no failure of the provider", async () => {
  const stopped = model.translate(request, AbortSignal.abort(new Error("stopping")));
  await expect(stopped).rejects.toThrow("stopping");
});
