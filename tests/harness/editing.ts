import type { Client } from "./client.js";

/** Adds a page to a space through a change request of its own; returns the revision of the merge. */
export async function addPage(call: Client, space: string, title: string): Promise<string> {
  const opened = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, { subject: title });
  expectStatus(opened, 201);
  const one = `/spaces/${space}/change-requests/${opened.body.id}`;
  const changes = [{ operation: "insert_page", title, document: { markdown: `# ${title}\n\nText.\n` } }];
  expectStatus(await call("POST", `${one}/content`, { changes }), 200);
  const merged = await call<{ revision: string; result: string }>("POST", `${one}/merge`);
  if (merged.status !== 200) {
    // The response of an earlier try may have been lost.
    const { body } = await call<{ status: string; revisionMerged: string }>("GET", one);
    if (body.status === "merged") return body.revisionMerged;
  }
  expectStatus(merged, 200);
  if (merged.body.result !== "merge") throw new Error(`Merging ${title} ended in ${merged.body.result}`);
  return merged.body.revision;
}

function expectStatus({ status, body }: { status: number; body: unknown }, wanted: number) {
  if (status !== wanted) throw new Error(`Expected ${wanted}, got ${status} ${JSON.stringify(body)}`);
}
