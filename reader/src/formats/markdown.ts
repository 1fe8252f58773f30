/** The media type of markdown. */
export const MARKDOWN = "text/markdown; charset=utf-8";

/** Whether a client would rather have markdown than HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  const weight = (type: string) => {
    const part = accept?.split(",").find((one) => one.trim().toLowerCase().startsWith(type));
    if (part === undefined) return 0;
    const quality = /;\s*q=([\d.]+)/.exec(part)?.[1];
    return quality === undefined ? 1 : Number(quality);
  };
  const markdown = weight("text/markdown");
  return markdown > 0 && markdown >= weight("text/html");
}
