import { type Block, blocksOf, linesText } from "@octavo/markdown/document/nodes";
import { assistants } from "../assistants.js";
import { isSet, textIn } from "../data.js";
import { externalLinkAttributes } from "../external-link.js";
import { icon } from "../icons.js";
import type { Html, Scope } from "../scope.js";

/** Longer prompts do not fit into an address. */
const MAX_LINK_PROMPT = 4_000;

/** A prompt for an assistant: what it is for, its words to copy, and where it can be opened. */
export function prompt({ data, nodes }: Block, scope: Scope): Html {
  const { words } = scope.page;
  const text = blocksOf({ nodes }).map(linesText).join("\n");
  const opens =
    isSet(data, "openInAIProviders") && text.length <= MAX_LINK_PROMPT && !/\p{Surrogate}/u.test(text);
  return (
    <details class="prompt" open={textIn(data, "defaultExpanded") === "full"}>
      <summary>
        {icon(textIn(data, "icon")) ?? icon("wand-magic-sparkles")}
        {textIn(data, "description") ?? words.prompt}
      </summary>
      <div>
        {scope.blocks(nodes)}
        {opens && (
          <p>
            {assistants(text).map(({ name, href }) => (
              <a class="button secondary" href={href} {...externalLinkAttributes(href, scope.page)}>
                {words.openIn(name)}
              </a>
            ))}
          </p>
        )}
      </div>
    </details>
  );
}
