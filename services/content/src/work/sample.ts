/** What most pages hold. */
const partOf = (number: number): string =>
  [
    `## Part ${number}`,
    "Plain words, **bold ones**, `code`, and a [link](https://docs.example/guide.md) to somewhere else.",
    "- One\n- Two\n  - Three",
    '{% hint style="info" %}\nSomething to keep in mind.\n{% endhint %}',
    "| name | value |\n| --- | --- |\n| one | 1 |\n| two | 2 |",
    `\`\`\`ts\nexport const value${number} = compute("${number}");\n\`\`\``,
  ].join("\n\n");

/** A text of so many parts to read before anybody wants one read. */
export const sampleOf = (parts: number): string =>
  `# Sample\n\n${Array.from({ length: parts }, (_, at) => partOf(at)).join("\n\n")}\n`;
