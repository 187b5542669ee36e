// A player's taps and the table's news cost each other nothing.
// Left to htmx, a quick tap would end the request of the one before it, and news redraw the page in the middle of a tap.
const draft = document.getElementById("draft");
const QUICK = ["add", "take", "keys"]; // Taps that only enter something: quick ones wait and are all counted.
const AGAIN = 1000; // Milliseconds until the page is asked for again after a request that failed.
const CLICK = 50; // Milliseconds in which the click follows a finger that has left the page.
let awaited = null; // The request whose answer redraws the page.
let tapped = false; // A tap has made it.
let news = false; // The page is to be asked for as soon as it may be redrawn.
let held = false; // A finger is on a button.
let lifted = 0;
let opened = false; // The list of other players.
let taps = [];

const button = (event) => event.target.closest("form[hx-target='#draft'] button");
const label = (each) => each.getAttribute("aria-label") ?? each.textContent;

function setTapped(now) {
  tapped = now;
  draft.setAttribute("aria-busy", now);
}

function ask() {
  if (news && !awaited && !held) htmx.trigger(draft, "news");
}

function next() {
  const tap = taps.shift();
  const same = (each) => tap && each.name === tap.name && label(each) === tap.label;
  const found = [...draft.querySelectorAll("button:enabled")].find(same);
  if (found) return found.click();
  taps = [];
  ask();
}

document.addEventListener("click", (event) => {
  const pressed = button(event);
  if (!pressed || !tapped) return;
  event.preventDefault(); // A second "Play" is no second move.
  event.stopPropagation();
  if (QUICK.includes(pressed.name)) taps.push({ name: pressed.name, label: label(pressed) });
}, true);

document.addEventListener("pointerdown", (event) => {
  if (!button(event)) return;
  clearTimeout(lifted);
  held = true;
}, true);

for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => {
    if (held) lifted = setTimeout(() => { held = false; ask(); }, CLICK);
  }, true);

document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt !== draft || !(awaited || held)) return;
  news = true;
  event.preventDefault();
});

document.addEventListener("htmx:beforeRequest", ({ detail: { elt, target, xhr } }) => {
  if (target !== draft) return;
  if (elt === draft) news = false;
  awaited = xhr;
  setTapped(elt !== draft && !elt.hasAttribute("hx-trigger"));
  let pause = 0;
  const failed = () => { news = true; pause = AGAIN; taps = []; };
  xhr.addEventListener("error", failed);
  xhr.addEventListener("timeout", failed);
  xhr.addEventListener("load", () => { if (xhr.status >= 400) failed(); });
  xhr.addEventListener("loadend", () => {
    if (awaited !== xhr) return;
    awaited = null;
    setTapped(false);
    setTimeout(next, pause); // A tap that ends the request before it makes its own first.
  });
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  if (target !== draft) return;
  if (xhr.status >= 400) event.preventDefault();
  else if (held && !tapped) { // The button under the finger stays.
    news = true;
    event.preventDefault();
  }
  opened = !tapped && draft.querySelector("details")?.open;
});

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target === draft && opened) draft.querySelector("details")?.setAttribute("open", "");
});
