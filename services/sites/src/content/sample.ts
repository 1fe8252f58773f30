const page = (title: string, ...lines: string[]) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown: `${lines.join("\n")}\n` },
});

/** The pages of a sample space. */
export const samplePages = [
  page(
    "Welcome",
    "This space is a sample: change it, or delete it when you need it no longer.",
    "",
    "* Every page is Markdown. What you write is what is stored.",
    "* Edits are proposed in a change request, reviewed, and merged.",
    "* A site shows the merged pages to its audience.",
  ),
  page(
    "Edit a page",
    "1. Open a change request on the space.",
    "2. Update, insert or delete pages in it. Nobody else sees them yet.",
    "3. Merge it. All of its changes appear at once, as one new revision.",
    "",
    '{% hint style="info" %}',
    "Two change requests may touch the same page. They are merged block by block; only what both of them changed",
    "differently is a conflict.",
    "{% endhint %}",
  ),
  page(
    "Publish",
    "Publish the site to put it under its address. Its visibility says for whom:",
    "",
    "| Visibility | Who may see it |",
    "| --- | --- |",
    "| `public` | anyone, search engines too |",
    "| `unlisted` | anyone who knows the address |",
    "| `share-link` | whoever has a secret link |",
    "| `visitor-auth` | visitors whom you sign in |",
  ),
];
