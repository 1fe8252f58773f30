import { type Patience, postJson } from "./post.js";
import { type Translator, textsIn } from "./translator.js";

export interface LibreTranslateSettings extends Patience {
  /** What `/translate` is appended to. */
  url: string;
  key?: string;
}

/** Languages that LibreTranslate calls otherwise. */
const NAMES: Record<string, string> = { "pt-br": "pt-BR", no: "nb", zh: "zh-Hans", yue: "zh-Hant" };
const nameOf = (language: string) => NAMES[language] ?? language;

/** Creates a translator that asks a LibreTranslate server, which knows neither instructions nor a glossary. */
export function libreTranslator({ url, key, ...patience }: LibreTranslateSettings): Translator {
  const endpoint = `${url.replace(/\/+$/, "")}/translate`;
  return {
    translate: async ({ texts, from, to }, signal) => {
      const body = {
        q: texts,
        source: nameOf(from),
        target: nameOf(to),
        // Tags are left where they are.
        format: "html",
        ...(key && { api_key: key }),
      };
      const response = await postJson({ url: endpoint, body, signal, ...patience });
      return textsIn((response as { translatedText?: unknown } | null)?.translatedText, texts.length);
    },
  };
}
