/** The words of the page that no author wrote. */
export interface Words {
  info: string;
  success: string;
  warning: string;
  danger: string;
  copy: string;
  copied: string;
  done: string;
  open: string;
  download: string;
  code: string;
  table: string;
  section: string;
  diagram: string;
  prompt: string;
  stars: (count: number, most: number) => string;
  openIn: (name: string) => string;
}

export const english: Words = {
  info: "Note",
  success: "Success",
  warning: "Warning",
  danger: "Danger",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  open: "To do",
  download: "Download",
  code: "Code",
  table: "Table",
  section: "Link to this section",
  diagram: "Diagram",
  prompt: "Prompt",
  stars: (count, most) => `${count} of ${most}`,
  openIn: (name) => `Open in ${name}`,
};
