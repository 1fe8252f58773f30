import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const USUAL = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser of this machine: that of `OCTAVO_CHROMIUM`, or one at a usual place; undefined where none is. */
export const browserPath: string | undefined = [process.env.OCTAVO_CHROMIUM ?? "", ...USUAL].find(
  (path) => path !== "" && existsSync(path),
);

/** Starts the browser. Inside of containers it has no namespaces for its sandbox. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath!, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** What a page complained about: errors of scripts, of its policy, dialogs, files it lacks, and requests to others than its own host. */
export interface Complaints {
  errors: string[];
  foreign: string[];
}

/** Notes from now on what a page complains about. Images may lie elsewhere: their authors say where. */
export function listen(page: Page, origin: string): Complaints {
  const complaints: Complaints = { errors: [], foreign: [] };
  page.on("pageerror", (error) => complaints.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      complaints.errors.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob|about):/.test(url) && request.resourceType() !== "image")
      complaints.foreign.push(url);
  });
  page.on("response", (response) => {
    const url = response.url();
    if (url.startsWith(origin) && response.status() >= 400)
      complaints.errors.push(`${url} is ${response.status()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.errors.push(`a dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return complaints;
}
