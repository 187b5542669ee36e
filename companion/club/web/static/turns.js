// The television shows one picture after the other; on a phone all of them stand below each other.
const SECONDS = 12;
const television = matchMedia("(min-width: 60rem)");
let turn = 0;

function show() {
  const slides = [...document.querySelectorAll(".slide")];
  turn %= Math.max(slides.length, 1);
  slides.forEach((slide, n) => { slide.hidden = television.matches && n !== turn; });
}

show();
television.addEventListener("change", show);
document.addEventListener("htmx:afterSettle", show);
document.addEventListener("htmx:sseMessage", show);
setInterval(() => { turn += 1; show(); }, SECONDS * 1000);
