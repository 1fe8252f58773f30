import { fab } from "@fortawesome/free-brands-svg-icons";
import { far } from "@fortawesome/free-regular-svg-icons";
import { fas } from "@fortawesome/free-solid-svg-icons";
import { expect, test } from "vitest";
import { type Outline, outlineOfIcon } from "./icons.js";

test("every icon is found by each of its names, as its package has it", () => {
  const expected = new Map<string, Outline>();
  for (const pack of [far, fab, fas])
    for (const { iconName, icon } of Object.values(pack)) {
      const [width, height, aliases, , path] = icon;
      const names = [iconName, ...aliases.filter((alias) => typeof alias === "string")];
      for (const name of names) expected.set(name, { box: `0 0 ${width} ${height}`, path: String(path) });
    }
  const found = new Map([...expected.keys()].map((name) => [name, outlineOfIcon(name)]));
  expect(found.size).toBeGreaterThan(2_500);
  expect(found).toEqual(expected);
});

test("an icon is found by the name of its class as well; what names none is undefined", () => {
  expect(outlineOfIcon("fa-gear")).toEqual(outlineOfIcon("gear"));
  expect(outlineOfIcon("gear")?.path).toMatch(/^M[\d.]/);
  for (const name of [undefined, "", "no-such-icon", "../gear", "index", "__proto__"])
    expect(outlineOfIcon(name), String(name)).toBeUndefined();
});
