import { posix } from "node:path";

/** What systems, browsers and servers run when it is opened, by the ends of names. */
const EXTENSIONS = new Set(
  [
    "js mjs cjs jse vb vbe vbs wsf wsh wsc sct hta ps1 psm1 psd1 bat cmd reg",
    "sh bash zsh csh ksh fish command php phtml cgi",
    "exe com scr pif cpl msi msp mst msix msixbundle appx appxbundle dll ocx sys lnk scf xll",
    "jar jnlp apk dmg",
  ].flatMap((names) => names.split(" ")),
);

/** Whether a file of this name can be run: a script or a program. Images, documents and data are not. */
export function isUnsafe(name: string): boolean {
  // Windows leaves out dots and blanks at the end.
  const { ext } = posix.parse(name.replace(/[. ]+$/, ""));
  return EXTENSIONS.has(ext.slice(1).toLowerCase());
}
