import { ROLES } from "@octavo/shared/contracts/roles";
import { flagProblems, isLetThrough } from "@octavo/shared/testing/flags";
import { afterAll, expect, test } from "vitest";
import { testSites } from "./testing/sites.js";

// What a response lets the caller do, held against the operation itself. Of what sites shows, fonts alone have
// flags.

const service = await testSites();
afterAll(() => service.end());

const organizationId = "acme";
const fontFaces = [{ weight: 400, sources: [{ url: "https://fonts.example.com/one.woff2" }] }];

test.each([...ROLES, null, undefined])(
  "the flags for the role %s are what the operations do",
  async (role) => {
    const admin = await service.as({ [organizationId]: "admin" });
    const { id: fontId } = await admin.fonts.create({ organizationId, fontFamily: "Acme Sans", fontFaces });
    const api = await service.as(role === undefined ? {} : { [organizationId]: role });
    const one = { organizationId, fontId };
    const shown = await api.fonts.get(one).catch(() => undefined);
    const onFont = { edit: () => isLetThrough(api.fonts.updateFont({ ...one, fontFamily: "Acme Serif" })) };
    expect(await flagProblems(shown?.permissions, onFont)).toEqual([]);
  },
);
