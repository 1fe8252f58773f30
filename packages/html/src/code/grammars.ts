import arduino from "refractor/arduino";
import bash from "refractor/bash";
import batch from "refractor/batch";
import c from "refractor/c";
import clojure from "refractor/clojure";
import cmake from "refractor/cmake";
import cpp from "refractor/cpp";
import csharp from "refractor/csharp";
import css from "refractor/css";
import dart from "refractor/dart";
import diff from "refractor/diff";
import docker from "refractor/docker";
import elixir from "refractor/elixir";
import erlang from "refractor/erlang";
import go from "refractor/go";
import graphql from "refractor/graphql";
import groovy from "refractor/groovy";
import haskell from "refractor/haskell";
import hcl from "refractor/hcl";
import http from "refractor/http";
import ini from "refractor/ini";
import java from "refractor/java";
import javascript from "refractor/javascript";
import json from "refractor/json";
import json5 from "refractor/json5";
import jsx from "refractor/jsx";
import julia from "refractor/julia";
import kotlin from "refractor/kotlin";
import latex from "refractor/latex";
import less from "refractor/less";
import lua from "refractor/lua";
import makefile from "refractor/makefile";
import markdown from "refractor/markdown";
import markup from "refractor/markup";
import nginx from "refractor/nginx";
import nix from "refractor/nix";
import objectivec from "refractor/objectivec";
import perl from "refractor/perl";
import php from "refractor/php";
import powershell from "refractor/powershell";
import properties from "refractor/properties";
import protobuf from "refractor/protobuf";
import python from "refractor/python";
import r from "refractor/r";
import ruby from "refractor/ruby";
import rust from "refractor/rust";
import scala from "refractor/scala";
import scss from "refractor/scss";
import shellSession from "refractor/shell-session";
import solidity from "refractor/solidity";
import sql from "refractor/sql";
import swift from "refractor/swift";
import toml from "refractor/toml";
import tsx from "refractor/tsx";
import typescript from "refractor/typescript";
import vbnet from "refractor/vbnet";
import wasm from "refractor/wasm";
import yaml from "refractor/yaml";
import zig from "refractor/zig";

/** Grammars of the languages that documentation is written about; those first that code of another one may hold. */
export const GRAMMARS = [
  markup,
  css,
  javascript,
  json,
  arduino,
  bash,
  batch,
  c,
  clojure,
  cmake,
  cpp,
  csharp,
  dart,
  diff,
  docker,
  elixir,
  erlang,
  go,
  graphql,
  groovy,
  haskell,
  hcl,
  http,
  ini,
  java,
  json5,
  jsx,
  julia,
  kotlin,
  latex,
  less,
  lua,
  makefile,
  markdown,
  nginx,
  nix,
  objectivec,
  perl,
  php,
  powershell,
  properties,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  shellSession,
  solidity,
  sql,
  swift,
  toml,
  tsx,
  typescript,
  vbnet,
  wasm,
  yaml,
  zig,
];
