// Counts the clocks of rounds down: the page says how many seconds are left when a clock is put on it.
const ends = new WeakMap();

function tick() {
  for (const clock of document.querySelectorAll("[data-left]")) {
    if (!ends.has(clock)) ends.set(clock, performance.now() + 1000 * clock.dataset.left);
    const left = Math.ceil((ends.get(clock) - performance.now()) / 1000);
    const said = left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : clock.dataset.up;
    if (clock.textContent !== said) clock.textContent = said;
    clock.classList.toggle("up", left <= 0);
  }
}

tick();
setInterval(tick, 250);
