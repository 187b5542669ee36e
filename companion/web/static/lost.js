// Says on the page that the box cannot be reached, until it can again.
for (const event of ["htmx:sseError", "htmx:sendError"])
  document.addEventListener(event, () => document.body.classList.add("lost"));
document.addEventListener("htmx:sseOpen", () => document.body.classList.remove("lost"));
