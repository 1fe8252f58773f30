/** Returns what searches for a user look in: name and address, in lower case. */
export const searchText = (name: string, email: string | null) => `${name}\n${email ?? ""}`.toLowerCase();
