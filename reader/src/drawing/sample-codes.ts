// Code in the languages that documentation shows most, each with most of what its grammar tells apart: a regular
// expression, and what V8 compiles of it, is fast from the second time on that it is used.

const ts = `/** Reads parts. @param api Where they are. */
import express, { type Request } from 'express';
interface Part<T extends object = {}> { readonly id: string; kind?: 'a' | 'b'; at: Date; [name: string]: unknown }
export abstract class Parts extends Base implements Shown {
  private static count = 0;
  constructor(private readonly api: Api, public name: string) { super(); }
  async get<T>(id: string): Promise<T | undefined> {
    const url = \`\${this.api.url}/parts/\${encodeURIComponent(id)}?limit=\${10}\`;
    try {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ id, open: true, part: null }) });
      if (!response.ok || response.status === 404) throw new Error('No part: ' + response.statusText);
      return (await response.json()) as T; // The part
    } catch (error) { console.error("Failed", error); }
  }
}
enum Kind { A = 1, B = 0x10 }
type Listener = (event: CustomEvent<Part>) => void;
const parts = new Map<string, Part>([['one', { id: 'one', at: new Date() }]]);
function isPart(value: any): value is Part { return typeof value === 'object' && /^[a-z]+$/i.test(value.id ?? ''); }
for (const [key, { kind }] of parts) switch (kind) { case 'a': console.log(key); break; default: continue; }
@decorated() export default class One {}
let x = y ? 1 : -2.5e3; while (x-- > 0) delete window.parts[x];`;

const js = `// Reads parts
const { readFile } = require("fs");
import { part as other } from "./part.js";
export async function* parts(options = {}, ...rest) {
  const { limit = 1_000, open } = { ...options };
  const names = rest.map((one) => \`\${one.name} of \${limit}\`).filter(Boolean);
  if (!open && names.length >= 0x1f) throw new TypeError('Too many parts');
  for await (const name of names) yield await fetch("/parts/" + name, { headers: { Authorization: 'Bearer part' } });
}
class Part extends HTMLElement { #id = null; static get tag() { return 'x-part'; } connectedCallback() { super.connectedCallback(); } }
window.addEventListener("load", function () { document.querySelector('#part').innerHTML = /<b>(\\w+)/g.exec(this.text)?.[1] ?? undefined; });
/* The end */ module.exports = { Part, parts, old: new Part(), x: typeof y === "number" ? y ** 2 : NaN };`;

const tsx = `import { useState } from 'react';
export const Part = ({ id, ...rest }: Props) => {
  const [open, setOpen] = useState<boolean>(false);
  return (
    <section className="part" onClick={() => setOpen(!open)} {...rest}>
      {/* The part */}
      {open ? <Body id={id} title={\`Part \${id}\`} /> : <p>Closed &amp; <b>shut</b></p>}
    </section>
  );
};`;

const bash = `#!/usr/bin/env bash
# Starts parts
set -euo pipefail
export PART_PORT=8080 NAME="part"
npm install --save-dev "part@1.2.3" && echo "$NAME is at \${PART_PORT:-80}" | grep -v '^#' > /tmp/part.log 2>&1
for one in $(ls *.part); do if [ -f "$one" ]; then cat "$one"; else exit 1; fi; done
curl -X POST https://api.example/parts/1 -H "Authorization: Bearer $TOKEN" -d '{"part": true}'
docker run -d -p 3000:3000 --name part part:latest \\
  sudo systemctl restart part
function stop() { local id=$1; kill -9 "$id" || true; }
cat <<EOF
part $NAME
EOF`;

const json = `{
  "part": "one", "count": 12, "share": -0.5e3, "open": true, "closed": false, "above": null,
  "parts": [{ "id": "a", "text": "Says \\"part\\" at https://docs.example/" }, []]
}`;

const yaml = `# Parts
version: "3.8"
services:
  part: &part
    image: 'part:1.2'
    ports: [ "80:80", 443 ]
    open: true
    started: 2024-01-31T10:00:00Z
    command: >
      run part
  other:
    <<: *part
    count: 12.5
    nothing: ~`;

const python = `# Reads parts
from dataclasses import dataclass
import json, os
@dataclass
class Part(Base):
    """One part."""
    id: str
    count: int = 0x1F
    async def read(self, *ids: list[str], **options) -> dict | None:
        for one in [x ** 2 for x in range(10) if x % 2 == 0]:
            try:
                response = await self.get(f"/parts/{self.id}?limit={one:>3}", headers={"Accept": 'part'})
            except (ValueError, KeyError) as error:
                raise RuntimeError("No part") from error
            finally:
                print(len(ids), True and not None, 1.5e3)
        return lambda part: part or False
if __name__ == "__main__":
    os.environ["PART"] = r"d+"`;

const html = `<!doctype html>
<!-- A part -->
<html lang="en">
  <head><meta charset="utf-8"><style>.part > a:hover { color: #fff; margin: 0 2px; }</style></head>
  <body class='part' data-id=one onclick="open()">
    <a href="https://docs.example/part?a=1&amp;b=2">Part &copy;</a>
    <script type="module">import { part } from "./part.js"; part({ id: 1 });</script>
  </body>
</html>`;

const sql = `-- Parts
create table part (id bigint primary key, name varchar(20) not null default 'part', at timestamp);
select p.id, count(*) as many, max("at") from part p left join other o on o.part = p.id
  where p.name like '%part%' and p.id in (1, 2.5) or not exists (select 1) group by 1 order by many desc limit 10;
insert into part values (1, 'part', null); /* The end */`;

const css = `/* Parts */
@import url("part.css");
@media (min-width: 40em) and (prefers-color-scheme: dark) {
  #part > .part::before, a[href^="https"]:not(.x):hover { margin: calc(1rem + 2px) auto !important; color: var(--part, #fff); }
}`;

const diff = `--- a/part
+++ b/part
@@ -1,2 +1,2 @@
 part
-one part
+another part`;

const http = `POST /v1/parts?limit=10 HTTP/1.1
Host: api.example
Authorization: Bearer part
Content-Type: application/json

{ "part": 1 }`;

/** Code that no page shows, each with its language; where it says `part`, a number makes it another one. */
export const SAMPLE_CODES: readonly (readonly [syntax: string, code: string])[] = [
  ["ts", ts],
  ["bash", bash],
  ["json", json],
  ["js", js],
  ["yaml", yaml],
  ["python", python],
  ["html", html],
  ["sql", sql],
  ["css", css],
  ["diff", diff],
  ["tsx", tsx],
  ["http", http],
];
