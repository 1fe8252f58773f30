// What the process that makes a PDF and the one that started it say to each other. It stands apart from what draws, so that
// whoever only starts such processes does not load the typesetter.

/** What the process receives: a part of the book, that there is no other, or that the images lie in the folder. */
export type PressMessage = { part: unknown } | "drawn" | "images";
/** What it says: that it listens, which images it needs, that the PDF lies in the folder, or why there is none. */
export type ProcessMessage = "ready" | { images: string[] } | "done" | { failure: string };

/** The name of the PDF in the folder. */
export const RESULT = "book.pdf";
