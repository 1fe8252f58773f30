import { expect, test } from "vitest";
import type { Customization } from "../site/site.js";
import { contrast, inkOn, parsed, readable } from "./colors.js";
import { themeOf } from "./theme.js";

/** Colors that are the same in each run, from all over the cube and from its grays. */
function* colors(count: number): Generator<string> {
  let state = 15;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const hex = (parts: number[]) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  for (let at = 0; at < count; at += 1) {
    const gray = next(256);
    yield hex(at % 4 === 0 ? [gray, gray, gray] : [next(256), next(256), next(256)]);
  }
}

test("every color can be read on every paper once it is corrected, and what is readable stays as it is", () => {
  const [...all] = colors(2_000);
  for (const [at, paper] of all.entries()) {
    const ink = all[(at * 7 + 1) % all.length]!;
    const on = parsed(paper);
    const corrected = readable(ink, on);
    expect(contrast(corrected, on), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5);
    if (contrast(parsed(ink), on) >= 4.5) expect(corrected).toEqual(parsed(ink));
    expect(contrast(parsed(inkOn(on)), on), `what is written on ${paper}`).toBeGreaterThanOrEqual(4.5);
  }
});

test("links of a header that has colors of its own can be read, light and dark, with a color for them or without", () => {
  const [...all] = colors(600);
  for (const [at, light] of ["#ff8800", ...all].entries()) {
    const dark = all[(at * 11 + 5) % all.length]!;
    const linkColor = at % 3 === 0 ? undefined : { light: "#ffffff", dark: all[(at * 5 + 3) % all.length]! };
    const header = { preset: "custom", links: [], backgroundColor: { light, dark }, linkColor };
    const { style } = themeOf(customizationWith({}, header));
    const [ofPaper, ofInk] = ["--header-paper", "--header-ink"].map((name) => pairIn(style, name));
    for (const theme of [0, 1])
      expect(contrast(ofPaper![theme]!, ofInk![theme]!), style).toBeGreaterThanOrEqual(4.5);
  }
});

test("the colors of a site can be read on the paper of its theme, also where a gradient puts some of them into it", () => {
  const [...all] = colors(300);
  for (const theme of ["clean", "muted", "bold", "gradient"])
    for (const [at, color] of ["#346ddb", "#000000", "#ffffff", ...all].entries()) {
      const tint = at % 2 === 0 ? undefined : { color: both(all[(at * 7) % all.length]!) };
      const background = at % 3 === 0 ? "match" : "plain";
      const look = { theme, background, tint, primaryColor: both(color), dangerColor: both(color) };
      const { style } = themeOf(customizationWith(look));
      for (const paper of ["--paper", "--paper-top"].flatMap((name) => [pairIn(style, name) ?? []]))
        for (const name of ["--primary", "--danger"])
          for (const [mode, on] of paper.entries())
            expect(contrast(pairIn(style, name)![mode]!, on), `${theme}: ${style}`).toBeGreaterThanOrEqual(
              4.5,
            );
      expect(pairIn(style, "--paper-top") !== undefined).toBe(theme === "gradient");
    }
});

const both = (color: string) => ({ light: color, dark: color });

/** The colors for light and for dark pages of a variable; undefined where it is not set. */
const pairIn = (style: string, name: string) =>
  new RegExp(`${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(style)?.slice(1).map(parsed);

function customizationWith(styling: object, header: object = { preset: "default" }): Customization {
  return {
    styling: {
      primaryColor: both("#346ddb"),
      infoColor: both("#787878"),
      successColor: both("#00c950"),
      warningColor: both("#fe9a00"),
      dangerColor: both("#fb2c36"),
      corners: "rounded",
      font: "Inter",
      monospaceFont: "IBMPlexMono",
      theme: "clean",
      background: "plain",
      ...styling,
    },
    header,
    // Cast: what decides about colors, and no more.
  } as unknown as Customization;
}
