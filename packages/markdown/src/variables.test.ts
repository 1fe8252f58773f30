import { expect, test } from "vitest";
import { readVariables } from "./variables.js";

test("readVariables keeps texts, numbers and booleans with proper names", () => {
  const source = "server: https://a.example/\nport: 80\nbeta: true\n1st: no\nlist: [1]\n";
  expect(readVariables(source)).toEqual({ server: "https://a.example/", port: 80, beta: true });
});

test("readVariables answers nothing for what is no map", () => {
  for (const source of ["", "- a\n- b", "a: [", "text"]) expect(readVariables(source)).toEqual({});
});
