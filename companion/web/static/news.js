// A player's taps and the table's news cost each other nothing.
// Left to htmx, a quick tap would end the request of the one before it, and news redraw the page in the middle of a tap.
const draft = document.getElementById("draft");
const QUICK = ["add", "take", "keys"]; // Taps that only enter something: quick ones wait and are all counted.
const PAUSE = 1000; // Milliseconds until the page is asked for again after a request that failed.
const CLICK = 50; // Milliseconds in which the click follows a finger that has left the page.
let awaited = null; // The request whose answer redraws the page.
let tapped = false; // A tap has made it.
let news = false; // The page is to be asked for as soon as it may be redrawn.
let held = false; // A finger is on a button.
let lifted = 0;
let unfolded = [];
let risen = []; // The sheets from below that are open, and how far each is scrolled.
let beside = []; // The open sheets beside which a finger is: its tap closes them and does nothing else.
let focused = null; // The id of what has the focus in the draft, "" for none.
let taps = [];

const button = (event) => event.target.closest("form[hx-target='#draft'] button, .tap");
const label = (each) => each.getAttribute("aria-label") ?? each.textContent;

const isOpen = (each) => CSS.supports("selector(:popover-open)") && each.matches(":popover-open");
const click = (each) => each.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

function setTapped(now) {
  tapped = now;
  draft.setAttribute("aria-busy", now);
}

const ask = () => { if (news && !awaited && !held) htmx.trigger(draft, "news"); };

function next() {
  for (let tap = taps.shift(); tap; tap = taps.shift()) {
    const same = (each) => each.name === tap.name && label(each) === tap.label;
    const found = [...draft.querySelectorAll("button:enabled, .tap")].find(same);
    if (found) return click(found);
    if (tap.name === "add") continue; // A piece that is used up leaves the others; what began a move does not.
    const misfits = document.querySelector("#keys:not([value='']) + #misfits"); // The page asks instead of a green tick.
    const left = [tap, ...taps].filter((each) => each.enters).map((each) => each.label.trim());
    if (misfits) misfits.value = [misfits.value, ...left].filter(Boolean).join(", ");
    news = true;
    taps = [];
  }
  ask();
}

document.addEventListener("pointerdown", (event) => {
  beside = event.target.closest(".from-below") ? [] : [...document.querySelectorAll("[popover]")].filter(isOpen);
  if (!button(event)) return;
  clearTimeout(lifted);
  held = true;
}, true);

document.addEventListener("click", (event) => {
  if (event.detail && beside.length) { // A finger, no key: this tap closes the sheet.
    for (const each of beside) if (isOpen(each)) each.hidePopover();
    beside = [];
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  const pressed = button(event);
  if (!pressed || !tapped) return;
  event.preventDefault(); // A second "Play" is no second move.
  event.stopPropagation();
  const enters = pressed.matches(".tap, .keys button");
  if (enters || QUICK.includes(pressed.name)) taps.push({ name: pressed.name, label: label(pressed), enters });
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
  const check = () => { if (xhr.status === 0 || xhr.status >= 400) { news = true; pause = PAUSE; taps = []; } };
  for (const end of ["load", "error", "timeout"]) xhr.addEventListener(end, check);
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
  unfolded = [...draft.querySelectorAll("details[open]")].map((each) => each.id);
  risen = [...draft.querySelectorAll("[popover]")].filter(isOpen).map((each) => [each.id, each.scrollTop]);
  focused = draft.contains(document.activeElement) ? document.activeElement.id : null;
});

document.addEventListener("htmx:afterSwap", ({ detail: { target, pathInfo } }) => {
  if (target !== draft) return;
  for (const each of unfolded) if (each !== "whose" || !tapped) document.getElementById(each)?.setAttribute("open", "");
  if (tapped && pathInfo?.requestPath === "/seat/words") risen = [["answer", 0]]; // What was asked for is shown.
  if (draft.querySelector("#yes")) { // A question to this player is not covered.
    risen = [];
    for (const each of document.querySelectorAll("[popover]")) if (isOpen(each)) each.hidePopover();
  }
  for (const [id, top] of risen) {
    const sheet = document.getElementById(id);
    if (!sheet || isOpen(sheet)) continue;
    sheet.classList.toggle("stays", id !== "answer" || !tapped);
    sheet.showPopover?.();
    sheet.scrollTop = top;
  }
  if (focused !== null && document.activeElement === document.body) {
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    if (document.activeElement === document.body) draft.focus({ preventScroll: true }); // What had it is gone.
  }
  showKept();
  travel(!draft.querySelector("#undo"));
});

document.addEventListener("click", (event) => { // Where nothing can be tapped, what comes first is said once more.
  if (!event.target.closest(".layers") || event.target.closest(".tap")) return;
  for (const each of draft.querySelectorAll(".not-yet")) each.hidden = false;
  tell();
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
const sentences = (parts) => parts.join(". ").replace(/([.?!:])\. /g, "$1 "); // Headings and lines are no one word.
const spoken = (part) => sentences(part.innerText.trim().split(/\s*\n\s*/));
const tell = () => {
  const now = [".band h1", ".view :is(.won, .says, .content h2)", ".last", ".entry", ".act > .says", "#answer h2", "#answer:not(.long) p"]
    .map((each) => [each, sentences([...document.querySelectorAll(each)].filter((part) => part.checkVisibility()).map(spoken))]);
  const words = sentences(now.filter(([each, text]) => text && told.get(each) !== text).map(([, text]) => text));
  const [part, above] = now[1];
  if (above && !held && above !== told.get(part)) scrollTo(0, 0); // A result, a notice: it is seen.
  for (const [each, text] of now) told.set(each, text);
  if (!words) return;
  said.append(Object.assign(document.createElement("p"), { textContent: words }));
  if (said.childElementCount > 2) said.firstChild.remove(); // Whoever reads the whole page does not hear old news.
};

// What this phone alone keeps: whether it calls with a tone, shows the keys of the box, covers the player's own pieces.
const main = document.querySelector("main");
const showKept = () => {
  for (const each of document.querySelectorAll("[data-keeps]")) {
    const name = each.dataset.keeps, on = localStorage.getItem(name) === "1";
    main.classList.toggle(name, on);
    if (each.id === name) each.setAttribute("aria-checked", on);
  }
};
document.addEventListener("click", ({ target }) => {
  const name = target.closest("[data-keeps]")?.dataset.keeps;
  if (name) {
    localStorage.setItem(name, localStorage.getItem(name) === "1" ? "0" : "1");
    showKept();
    if (name === "call") sound();
  }
  if (target.closest("#more form button")) // What it does is seen; first htmx takes the button's value.
    setTimeout(() => document.getElementById("more")?.hidePopover?.());
});

// Calls whose turn it is: once a turn, and not again when the page is loaded anew.
let audio = null;
const wake = () => { // Browsers want a tap before the first tone.
  if (localStorage.getItem("call") === "1") audio ??= new AudioContext();
};
document.addEventListener("pointerdown", wake);
function sound() {
  wake();
  if (audio?.state !== "running" || localStorage.getItem("call") !== "1") return;
  const tone = audio.createOscillator(), volume = audio.createGain(), end = audio.currentTime + 0.2;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
const ownTitle = document.title;
const callTurn = () => {
  const band = document.querySelector(".band"), turn = band?.dataset.turn ?? "";
  const colours = getComputedStyle(band ?? document.body);
  document.title = band ? (turn && "▶ ") + band.querySelector("h1").textContent.trim() : ownTitle;
  document.querySelector("[name=theme-color]").content = colours.getPropertyValue(turn ? "--me" : "--paper");
  if (turn === (sessionStorage.getItem("turn") ?? "")) return;
  sessionStorage.setItem("turn", turn);
  if (!turn) return;
  band.classList.add("calls");
  if (localStorage.getItem("call") !== "0") navigator.vibrate?.([80, 60, 80]);
  sound();
};

// The piece of the last move travels to its place once, from where `data-dx` and `data-dy` say that it was.
let travelled = "";
function travel(moves) {
  const pieces = [...draft.querySelectorAll("[data-dx], [data-dy]")];
  const way = pieces.map((each) => each.outerHTML).join("");
  if (moves && way !== travelled && matchMedia("(prefers-reduced-motion: no-preference)").matches)
    for (const each of pieces)
      each.animate([{ transform: `translate(${each.dataset.dx ?? 0}px, ${each.dataset.dy ?? 0}px)` }, { transform: "none" }],
        { duration: 420, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" });
  if (way) travelled = way;
}

const closeOld = () => { // The moves of a round do not lie over the next one, which has none yet.
  const moves = document.getElementById("moves");
  if (isOpen(moves) && !document.querySelector("[popovertarget=moves]")) moves.hidePopover();
};

new MutationObserver(() => { tell(); callTurn(); closeOld(); }).observe(main, { childList: true, subtree: true });
showKept();
travel(false);
tell();
callTurn();
