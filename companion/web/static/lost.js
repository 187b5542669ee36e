// Says on the page that the box cannot be reached, until it can again: by the stream of news, or by any request.
// A network that dies without a word ends no connection: then silence says it, since the stream has a beat.
const SILENCE = 34000; // Milliseconds: two beats have not come.
const LOOK = 500;
let heard = Date.now();
let source = null;

function found() {
  heard = Date.now();
  document.body.classList.remove("lost");
}

for (const event of ["htmx:sseError", "htmx:sendError", "htmx:timeout"])
  document.addEventListener(event, () => document.body.classList.add("lost"));
for (const event of ["htmx:afterOnLoad", "htmx:sseMessage"]) document.addEventListener(event, found);
document.addEventListener("htmx:sseOpen", (event) => {
  found();
  if (source === event.detail.source) return;
  source = event.detail.source;
  source.addEventListener("beat", found);
});

setInterval(() => {
  if (!document.querySelector("[sse-connect]") || Date.now() - heard < SILENCE) return;
  document.body.classList.add("lost");
  heard = Date.now();
  if (!source) return; // The first stream is still being opened.
  source.close();
  source.onerror(new Event("error")); // A stream that is closed is opened anew.
}, LOOK);
