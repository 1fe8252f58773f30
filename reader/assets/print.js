// @ts-check
// Opens what is folded away, and prints once the diagrams are drawn.

/** Milliseconds that a print waits for diagrams at most. */
const MOST = 15_000;

for (const details of document.querySelectorAll("details")) details.open = true;

async function drawn() {
  const end = performance.now() + MOST;
  while (document.querySelector("figure.diagram:not(.drawn, .broken)") && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-print]"));
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await drawn();
    button.disabled = false;
    print();
  });
}
