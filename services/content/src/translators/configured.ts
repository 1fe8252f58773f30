import { libreTranslator } from "./libretranslate.js";
import { openAITranslator } from "./openai.js";
import type { Translator } from "./translator.js";

/** What the operator has configured to translate with. */
export interface TranslationSettings {
  kind: "openai" | "libretranslate";
  url: string;
  key?: string;
  model: string;
}

/** The translator of these settings; undefined without any. */
export function translatorOf(settings: TranslationSettings | undefined): Translator | undefined {
  if (!settings) return undefined;
  return settings.kind === "openai" ? openAITranslator(settings) : libreTranslator(settings);
}
