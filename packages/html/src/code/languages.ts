import clojure from "highlight.js/lib/languages/clojure";
import cmake from "highlight.js/lib/languages/cmake";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import http from "highlight.js/lib/languages/http";
import julia from "highlight.js/lib/languages/julia";
import latex from "highlight.js/lib/languages/latex";
import nginx from "highlight.js/lib/languages/nginx";
import nix from "highlight.js/lib/languages/nix";
import pgsql from "highlight.js/lib/languages/pgsql";
import powershell from "highlight.js/lib/languages/powershell";
import properties from "highlight.js/lib/languages/properties";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";

/** Highlights code in the languages that documentation is written about. */
export const lowlight = createLowlight({
  ...common,
  ...{ cmake, clojure, dart, dockerfile, elixir, erlang, groovy, haskell, http, julia, latex, nginx, nix },
  ...{ pgsql, powershell, properties, protobuf, scala },
});

/** Names that authors write besides those that the languages have themselves. */
lowlight.registerAlias({
  bash: ["shell-session", "terminal", "env", "dotenv"],
  javascript: ["node"],
  typescript: ["deno"],
  json: ["jsonc", "json5"],
  xml: ["vue", "svelte", "astro"],
});
