import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

test("press: whoever starts processes that make PDFs does not load the typesetter", () => {
  const loaded = (module: string): string[] => {
    const script = `await import(${JSON.stringify(new URL(module, import.meta.url))});
      console.log(JSON.stringify(process.report.getReport().sharedObjects));
      process.exit();`;
    const args = ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", script];
    const printed = execFileSync(process.execPath, args, { encoding: "utf8", cwd: import.meta.dirname });
    return (JSON.parse(printed) as string[]).filter((file) => file.includes("typst"));
  };
  expect(loaded("./typeset.ts")).not.toEqual([]);
  expect(loaded("./press.ts")).toEqual([]);
});
