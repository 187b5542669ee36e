(whole) => {
  const said = [];
  if (document.documentElement.scrollWidth > innerWidth) said.push("wider than the screen");
  const named = (each) => `${each.tagName} ${(each.getAttribute("aria-label") || each.textContent).trim().slice(0, 30)}`;
  const parts = [...document.querySelectorAll("h1, .players li, .scores li, button, summary, a, input:not([type=hidden]), .entry, .tap, .below th, .below td")]
    .filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]);
  const sheet = (each) => each.closest(":popover-open"); // An open sheet lies over the page, and that is no fault.
  for (const [index, [one, a]] of parts.entries())
    for (const [other, b] of parts.slice(index + 1))
      if (!one.contains(other) && sheet(one) === sheet(other) && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
          && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5) said.push(`${named(one)} and ${named(other)}`);
  for (const [each, a] of parts) if (a.left < -1 || a.right > innerWidth + 1) said.push(`${named(each)} is out of sight`);
  const board = document.querySelector(".touch .board");
  if (!board) return said;
  for (const drawing of document.querySelectorAll(".layers")) checkDrawing(drawing);
  function checkDrawing(layers) {
    const [, , wide, high] = layers.querySelector(".board").getAttribute("viewBox").split(" ").map(Number);
    const texts = [...layers.querySelectorAll("text")].map((each) => [each.textContent, each.getBBox()])
      .map(([text, box]) => [text, box.x, box.y + 0.22 * box.height, box.x + box.width, box.y + 0.8 * box.height]);
    const edges = [...layers.querySelectorAll(".taps .halo")].map((each) => ["x", "y", "width", "height"].map((key) => Number(each.getAttribute(key))));
    for (const [index, [text, left, top, right, bottom]] of texts.entries()) {
      if (left < -1 || top < -1 || right > wide + 1 || bottom > high + 1) said.push(`"${text}" is cut`);
      for (const [other, left1, top1, right1, bottom1] of texts.slice(index + 1))
        if (Math.min(right, right1) - Math.max(left, left1) > 2 && Math.min(bottom, bottom1) - Math.max(top, top1) > 2) said.push(`"${text}" on "${other}"`);
      for (const [x, y, w, h] of edges)
        if (left < x + w && right > x && (Math.min(Math.abs(y - top), Math.abs(y - bottom)) < 1 || (y > top && y < bottom) || (y + h > top && y + h < bottom)))
          said.push(`"${text}" under an edge`);
    }
  }
  const box = board.getBoundingClientRect();
  if (whole && box.bottom > innerHeight + 1) said.push(`the board ends ${Math.round(box.bottom - innerHeight)} below`);
  const judged = document.querySelector(".verdict, .buttons").getBoundingClientRect();
  if (whole && judged.bottom > innerHeight + 1) said.push("what is judged is out of sight");
  return said;
}
