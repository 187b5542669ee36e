// Says on the page that the box cannot be reached, until it can again: by the stream of news, or by any request.
// A network that dies without a word ends no connection: then silence says it, since the stream has a beat.
// The page has one stream for as long as it is open. Below it connections come and go: after a night there is one, too.
const SILENCE = 34000; // Milliseconds: two beats have not come.
const BEAT = 17000; // Milliseconds: one has not come, which is enough after the screen or the computer has slept.
const AGAIN = 2000;
const LOOK = 500;
document.querySelector("[autofocus]")?.select(); // A refused code is typed anew.
let heard = Date.now();
let connect = () => {};

const lose = () => document.body.classList.add("lost");

function found() {
  heard = Date.now();
  document.body.classList.remove("lost");
}

function renew(after) {
  if (Date.now() - heard < after) return;
  heard = Date.now();
  connect();
}

htmx.createEventSource = (url) => {
  const listeners = [["beat", found]];
  let source;
  connect = () => {
    source?.close();
    source = new EventSource(url);
    for (const each of listeners) source.addEventListener(...each);
    source.onopen = found;
    source.onerror = () => {
      lose();
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN); // A refusal: any other end is tried anew.
    };
  };
  connect();
  return {
    addEventListener: (...each) => { listeners.push(each); source.addEventListener(...each); },
    removeEventListener: (...each) => source.removeEventListener(...each),
    close: () => source.close(),
  };
};

for (const event of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(event, lose);
for (const event of ["htmx:afterOnLoad", "htmx:sseMessage"]) document.addEventListener(event, found);
for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, () => renew(BEAT));
for (const event of ["pageshow", "online"]) addEventListener(event, () => renew(BEAT));

setInterval(() => {
  if (!document.querySelector("[sse-connect]") || Date.now() - heard < SILENCE) return;
  lose();
  renew(SILENCE);
}, LOOK);
