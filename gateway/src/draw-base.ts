/** Stands for the public base of the platform in pages that the build wrote: it is known when they are sent. */
export const BASE = "https://base.invalid";
