// @ts-check
// What readers think of a page is sent without leaving it: the server writes what comes in the place of the form.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-feedback]")) return;
  event.preventDefault();
  // The form is not disabled, which would take the focus from its button.
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  // It stays, and is filled in later: what arrives with its text is not read out.
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  status.textContent = "";
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
  try {
    const response = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.querySelector("[data-feedback]");
    const said = next?.querySelector("[role=status]");
    if (!response.ok || !next || !said) throw new Error(`the response is ${response.status}`);
    said.remove();
    for (const child of [...form.children]) if (child !== status) child.remove();
    form.className = next.className;
    form.append(...next.children);
    status.textContent = said.textContent;
    // The button that had it is gone.
    status.focus();
  } catch {
    status.textContent = document.documentElement.dataset.failed ?? "";
  } finally {
    form.ariaBusy = null;
  }
});
