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
let opened = []; // What is unfolded.
let focused = false;
let taps = [];

const button = (event) => event.target.closest("form[hx-target='#draft'] button, .tap");
const label = (each) => each.getAttribute("aria-label") ?? each.textContent;

const click = (each) => each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

function setTapped(now) {
  tapped = now;
  draft.setAttribute("aria-busy", now);
}

function ask() {
  if (news && !awaited && !held) htmx.trigger(draft, "news");
}

function next() {
  for (let tap = taps.shift(); tap; tap = taps.shift()) {
    const same = (each) => each.name === tap.name && label(each) === tap.label;
    const found = [...draft.querySelectorAll("button:enabled, .tap")].find(same);
    if (found) return click(found);
    if (tap.name === "add") continue; // A piece that is used up leaves the others; what began a move does not.
    const misfits = document.getElementById("misfits"); // Before the move is played the page asks about them.
    const left = [tap, ...taps].filter((each) => each.enters).map((each) => each.label.trim());
    if (misfits) misfits.value = [misfits.value, ...left].filter(Boolean).join(", ");
    taps = [];
  }
  ask();
}

document.addEventListener("click", (event) => {
  const pressed = button(event);
  if (!pressed || !tapped) return;
  event.preventDefault(); // A second "Play" is no second move.
  event.stopPropagation();
  const enters = pressed.matches(".tap, .keys button");
  if (enters || QUICK.includes(pressed.name)) taps.push({ name: pressed.name, label: label(pressed), enters });
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
  opened = [...draft.querySelectorAll("details[open]")].map((each) => each.id);
  focused = draft.contains(document.activeElement);
});

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target !== draft) return;
  for (const each of opened) if (each !== "whose" || !tapped) document.getElementById(each)?.setAttribute("open", "");
  if (focused && document.activeElement === document.body) draft.focus({ preventScroll: true }); // What had it is gone.
});

document.addEventListener("click", (event) => { // Where nothing can be tapped, what can be is shown once more.
  if (!event.target.closest(".layers") || event.target.closest(".tap")) return;
  for (const each of draft.querySelectorAll(".entry"))
    each.animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], { duration: 250, iterations: 2 });
});

document.addEventListener("keydown", (event) => { // A place on the board is pressed like a button.
  if (!event.target.matches(".tap") || ![" ", "Enter"].includes(event.key)) return;
  event.preventDefault();
  click(event.target);
});

// What has changed is said once, in one place, so that those who hear the page miss nothing and hear nothing twice.
const said = document.getElementById("said");
const told = new Map();
const spoken = (part) => part.innerText.trim().replace(/[.:]?\s*\n\s*/g, ". "); // Headings and lines are no one word.
const tell = () => {
  const now = ["header h1", ".view .says", ".last", ".verdict .says", ".entry", ".controls > .says"]
    .map((each) => [each, [...document.querySelectorAll(each)].filter((part) => part.checkVisibility()).map(spoken).join(". ")]);
  const words = now.filter(([each, text]) => text && told.get(each) !== text).map(([, text]) => text).join(". ");
  const said_above = now.find(([each]) => each === ".view .says")[1];
  if (said_above && !held && said_above !== told.get(".view .says")) scrollTo(0, 0); // A result, a notice: it is seen.
  for (const [each, text] of now) told.set(each, text);
  if (!words) return;
  said.append(Object.assign(document.createElement("p"), { textContent: words }));
  if (said.childElementCount > 5) said.firstChild.remove();
};
new MutationObserver(tell).observe(document.querySelector("main"), { childList: true, subtree: true });
tell();
