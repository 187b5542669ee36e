// News from the table never cost a player a tap. While an answer to the page is awaited, news wait; then it asks once.
// Left to queue in htmx, they would redraw the page in the middle of a tap, whose button is then gone with its press.
const draft = document.getElementById("draft");
let awaited = null;
let news = false;

document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt !== draft || !awaited) return;
  news = true;
  event.preventDefault();
});

document.addEventListener("htmx:beforeRequest", ({ detail: { target, xhr } }) => {
  if (target !== draft) return;
  awaited = xhr;
  xhr.addEventListener("loadend", () => {
    if (awaited !== xhr) return;
    awaited = null;
    if (!news) return;
    news = false;
    setTimeout(() => htmx.trigger(draft, "news")); // A tap ends the request before it, then makes its own.
  });
});
