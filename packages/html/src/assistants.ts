/** The assistants that readers are led to, each opened with a prompt. */
export const assistants = (prompt: string): { name: string; icon: string; href: string }[] => [
  { name: "ChatGPT", icon: "openai", href: `https://chatgpt.com/?q=${encodeURIComponent(prompt)}` },
  { name: "Claude", icon: "claude", href: `https://claude.ai/new?q=${encodeURIComponent(prompt)}` },
];
