/** An image of a document, and the address that stands for it in the text. */
export interface DocxImage {
  name: string;
  base64: string;
}

const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/svg+xml": "svg",
  "image/webp": "webp",
};

/** Reads a document of a word processor as HTML, with its images beside it. Its size has been looked at before. */
export async function readDocx({
  base64,
  most,
}: {
  base64: string;
  /** Images that are read at most. */
  most: number;
}): Promise<{ html: string; images: DocxImage[] }> {
  // Loaded with the first document: few are ever read, and each thread would hold it.
  const { default: mammoth } = await import("mammoth");
  const images: DocxImage[] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    const name = `image-${images.length + 1}.${EXTENSIONS[image.contentType] ?? "png"}`;
    if (images.length < most) images.push({ name, base64: await image.readAsBase64String() });
    return { src: name };
  });
  const { value: html } = await mammoth.convertToHtml({ buffer: Buffer.from(base64, "base64") }, {
    convertImage,
    externalFileAccess: false,
  } as Parameters<typeof mammoth.convertToHtml>[1]);
  return { html, images };
}
