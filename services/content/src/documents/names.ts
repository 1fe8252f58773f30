const MARKDOWN = /\.(md|markdown)$/i;

export const isMarkdown = (path: string) => MARKDOWN.test(path);
export const isHidden = (path: string) => path.split("/").some((part) => part.startsWith("."));
