/** What most pages hold. */
const partOf = (number: number): string =>
  [
    `## Part ${number} <a href="#part-${number}" id="part-${number}"></a>`,
    "Plain words, **bold ones**, _others_, ~~gone~~, `code`, and a [link](https://docs.example/guide.md) to somewhere else.",
    "- One\n- Two\n  - Three with `code`\n    1. Four\n    2. [Five](five.md)\n- [ ] Six\n- [x] Seven",
    '{% hint style="info" %}\nSomething to keep in mind.\n{% endhint %}',
    "| name | value |\n| --- | :---: |\n| one | 1 |\n| **two** | `2` |",
    `\`\`\`ts\nexport const value${number} = compute("${number}");\n\`\`\``,
    "> Somebody said so.\n>\n> More than once.",
    '<figure><img src="https://docs.example/a.png" alt="" width="300"><figcaption><p>A picture</p></figcaption></figure>',
    `### A step ${number}\n\n![A picture](pictures/a.png) and a line\\\nbroken, with an <https://docs.example/> address.`,
    `{% tabs %}\n{% tab title="A" %}\n\`\`\`bash\nnpm install part-${number}\n\`\`\`\n{% endtab %}\n\n{% tab title="B" %}\nWords\n{% endtab %}\n{% endtabs %}`,
    "<details>\n\n<summary>More</summary>\n\nFolded away\n\n</details>",
    `{% code title="a.json" lineNumbers="true" %}\n\`\`\`json\n{ "value": ${number} }\n\`\`\`\n{% endcode %}`,
    "***",
  ].join("\n\n");

/** A text of so many parts to read before anybody wants one read. */
export const sampleOf = (parts: number): string =>
  `---\ndescription: What a sample is about\n---\n\n# Sample\n\n${Array.from({ length: parts }, (_, at) => partOf(at)).join("\n\n")}\n`;
