// Says on the page that the box cannot be reached, until it can again: by the stream of news, or by any request.
for (const event of ["htmx:sseError", "htmx:sendError", "htmx:timeout"])
  document.addEventListener(event, () => document.body.classList.add("lost"));
for (const event of ["htmx:sseOpen", "htmx:afterOnLoad"])
  document.addEventListener(event, () => document.body.classList.remove("lost"));
