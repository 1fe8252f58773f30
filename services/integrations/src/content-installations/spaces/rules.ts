import type { Call } from "../../trpc.js";
import { SPACE } from "../kinds.js";
import { installOn, uninstallFrom, updateOn } from "../rules/change.js";
import { getOn, listOf, listOfAll } from "../rules/read.js";
import type {
  GetOnSpace,
  InstallOnSpace,
  List,
  ListOfIntegration,
  OnSpace,
  UpdateOnSpace,
} from "../schema.js";

// Installations on single spaces.

/** Lists the spaces that an installation is installed on by themselves; 403 for who may not install. */
export const list = ({ ctx, input }: Call<typeof List>) => listOf(ctx, SPACE, input);

/** Lists the installations of an integration on single spaces, of the organizations that the caller may install in. */
export const listOfIntegration = ({ ctx, input }: Call<typeof ListOfIntegration>) =>
  listOfAll(ctx, SPACE, input);

/** Installs on a space; 404 for one out of reach, 403 for who may not install there, 409 where it is installed. */
export const install = ({ ctx, input: { space: content, ...input } }: Call<typeof InstallOnSpace>) =>
  installOn(ctx, SPACE, { ...input, content });

/** Returns the installation on a space, to the integration and to readers of the space; 404 to all others. */
export const get = ({ ctx, input: { spaceId: content, ...input } }: Call<typeof GetOnSpace>) =>
  getOn(ctx, SPACE, { ...input, content });

/** Changes the installation on a space; 404 for one out of reach, 403 for who may not install there. */
export const update = ({ ctx, input: { spaceId: content, ...input } }: Call<typeof UpdateOnSpace>) =>
  updateOn(ctx, SPACE, { ...input, content });

/** Removes the installation on a space; 403 for who may not install there. No error when there is none. */
export const uninstall = ({ ctx, input: { spaceId: content, ...input } }: Call<typeof OnSpace>) =>
  uninstallFrom(ctx, SPACE, { ...input, content });
