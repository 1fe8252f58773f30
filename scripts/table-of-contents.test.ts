import { expect, test } from "vitest";
import { tableOfContents } from "./table-of-contents.js";

test("a table of contents has its groups, pages, links and computed pages in order, with their depth", () => {
  const summary = `# Table of contents

* [Home](README.md)
  * [Deep \\*one\\*](a%20b/./one.md "Label")
    * [Deeper](<a b/two.md>)
* No \`link\`
- [Elsewhere](https://example.com/x.md)
* [Part](one.md#part)

## Group <a href="#group" id="group"></a>

* [In it](guide/)
* \`\`\`yaml
  type: builtin:openapi
  \`\`\`

***

* [Below no group](last.md)
* ## Listed group
* [In that](in.md)
`;
  expect(tableOfContents(summary)).toEqual([
    { depth: 0, title: "Home", file: "README.md" },
    { depth: 1, title: "Deep *one*", file: "a b/one.md" },
    { depth: 2, title: "Deeper", file: "a b/two.md" },
    { depth: 0, title: "No `link`" },
    { depth: 0, title: "Elsewhere" },
    { depth: 0, title: "Part" },
    { depth: 0, title: "Group" },
    { depth: 1, title: "In it", file: "guide/README.md" },
    { depth: 1, title: "computed" },
    { depth: 0, title: "Below no group", file: "last.md" },
    { depth: 0, title: "Listed group" },
    { depth: 1, title: "In that", file: "in.md" },
  ]);
});
