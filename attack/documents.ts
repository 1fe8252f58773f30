import type { Attack, Target } from "./attack.js";
import { isRefused } from "./attack.js";
import { hostileTexts } from "./hostile-texts.js";

/** Pages whose text is the attack, written, read in every form, searched, compared and merged. */
export const documents: Attack = {
  name: "documents",
  claim: "a page is stored and read again, or refused, whatever stands in it",
  async run(target, trial) {
    const { full, random } = target;
    // The short form takes about half of them, others in each run.
    const texts = [...hostileTexts(full)].filter(() => full || random.chance(0.5));
    for (const [what, markdown] of texts) {
      const { call, space, changeRequest } = await openChangeRequest(target);
      const one = `/spaces/${space}/change-requests/${changeRequest}`;
      const changes = [{ operation: "insert_page", title: "Page", document: { markdown } }];
      const insert = call("POST", `${one}/content`, { changes });
      const inserted = await trial.expect(`${what}, inserted`, insert);
      if (!inserted || isRefused(inserted)) continue;
      const { body } = await call<{ pages: { id: string }[] }>("GET", `${one}/content/pages`);
      const page = body.pages.at(-1)?.id;
      const reads = [
        `${one}/content/page/${page}?format=markdown`,
        `${one}/content/page/${page}?format=document&evaluated=true`,
        `${one}/content/page/${page}/links`,
        `${one}/changes`,
      ];
      const isRead = ({ status }: { status: number }) => status === 200;
      for (const path of reads) await trial.expect(`${what}, ${lastOf(path)}`, call("GET", path), isRead);
      const edit = [{ operation: "update_page", page, document: { markdown: `${markdown}\n\nMore.\n` } }];
      await trial.expect(`${what}, edited`, call("POST", `${one}/content`, { changes: edit }));
      await trial.expect(`${what}, merged`, call("POST", `${one}/merge`));
      const search = call("GET", `/spaces/${space}/search?query=words`);
      await trial.expect(`${what}, searched`, search, isRead);
    }
  },
};

const lastOf = (path: string) => path.split("/").at(-1)!;

async function openChangeRequest({ attacker: { call, things } }: Target) {
  const make = async (path: string) => (await call<{ id: string }>("POST", path, {})).body.id;
  const space = await make(`/orgs/${things.organizationId}/spaces`);
  return { call, space, changeRequest: await make(`/spaces/${space}/change-requests`) };
}
