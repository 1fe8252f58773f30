// How a site looks: the body of a customization, with every field that it takes.

const both = (color: string) => ({ light: color, dark: color });

/** A look that is right in every field. */
export const look = {
  styling: {
    theme: "clean",
    primaryColor: both("#346DDB"),
    infoColor: both("#787878"),
    successColor: both("#00C950"),
    warningColor: both("#FE9A00"),
    dangerColor: both("#FB2C36"),
    corners: "rounded",
    depth: "subtle",
    links: "default",
    font: "Inter",
    monospaceFont: "IBMPlexMono",
    background: "plain",
    icons: "regular",
    sidebar: { background: "default", list: "default" },
    search: "subtle",
  },
  internationalization: { locale: "en" },
  favicon: {},
  header: { preset: "default", links: [] },
  footer: { groups: [] },
  themes: { default: "light", toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: "none" },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: true, markdown: true },
  externalLinks: { target: "self" },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: true },
};
