// @ts-check
// What readers think of a page is sent without leaving it: the server writes what comes in the place of the form.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-feedback]")) return;
  event.preventDefault();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
  try {
    const response = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.querySelector("[data-feedback]");
    if (response.ok && next) form.replaceWith(next);
  } catch {
    // Somebody is offline: the form stays.
  }
});
