"use strict";
// The server renders every part; this puts the new ones in their places and feeds the charts.
(() => {
  const place = document.querySelector("[data-stream]");
  const live = document.getElementById("live");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const charts = ["reward", "gain", "shares", "exploring", "race"];
  let figures = {};
  let numbers = JSON.parse(document.getElementById("numbers")?.textContent || "null");

  function put(id, html) {
    const part = document.getElementById(id);
    if (!part) return;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...part.querySelectorAll("details[open]")].map((each) => each.id);
    const scrolled = [...part.querySelectorAll(".wide")].map((each) => [each.scrollLeft, each.scrollTop]);
    part.innerHTML = html;
    open.forEach((each) => document.getElementById(each)?.setAttribute("open", ""));
    part.querySelectorAll(".wide").forEach((each, number) => { [each.scrollLeft, each.scrollTop] = scrolled[number] || [0, 0]; });
    if (focused) document.getElementById(focused)?.focus({preventScroll: true});
  }

  function fill(name) {
    const found = figures[name], told = numbers?.[name];
    if (!found || !told) return;
    const columns = {};
    for (const [column, values] of Object.entries(told.columns))
      columns[column] = Float64Array.from(values, (each) => each ?? NaN);
    const sources = {columns, marks: told.marks};
    [found.x_range.start, found.x_range.end] = told.x;
    [found.y_range.start, found.y_range.end] = told.y;
    for (const renderer of found.renderers) {
      const known = sources[renderer.data_source?.name];
      if (known) renderer.data_source.data = known;
    }
  }

  // Charts are there as soon as there is something to draw.
  function unfold() {
    const box = document.getElementById("charts");
    if (!box?.hidden || !numbers?.reward) return;
    box.hidden = false;
    draw();
  }

  async function draw() {
    const addresses = document.getElementById("schemes");
    if (!addresses || !window.Bokeh || document.getElementById("charts").hidden) return;
    const answer = await fetch(dark.matches ? addresses.dataset.dark : addresses.dataset.light);
    const items = await answer.json();
    figures = {};
    for (const name of charts) {
      const box = document.getElementById(`chart-${name}`);
      if (!box || !items[name]) continue;
      box.replaceChildren();
      const views = await Bokeh.embed.embed_item(items[name], box);
      figures[name] = (views.roots ? views.roots[0] : Object.values(views)[0]).model;
      // The times beside each other must not touch.
      if (box.clientWidth < 400) figures[name].below[0].ticker.desired_num_ticks = 2;
      fill(name);
    }
  }

  function take(event) {
    const news = JSON.parse(event.data);
    const problem = document.getElementById("problem");
    if (problem) problem.textContent = news.problem || "";
    for (const [id, html] of Object.entries(news)) {
      if (id === "charts") { numbers = JSON.parse(html); unfold(); charts.forEach(fill); }
      else if (id !== "problem") put(id, html);
    }
    if (over()) tell("ended");
  }

  // A demo that has ended takes its server along.
  const over = () => document.querySelector("[data-over]") !== null;

  function tell(state) {
    live.textContent = state;
    live.className = state === "live" ? "on" : "";
  }

  function listen() {
    const stream = new EventSource(place.dataset.stream);
    stream.onopen = () => tell("live");
    stream.onmessage = take;
    stream.onerror = () => {
      if (over()) return stream.close();
      tell("not connected");
      if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    };
  }

  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.about[open]").forEach((each) => {
      if (!each.contains(event.target)) each.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelectorAll("details.about[open]").forEach((each) => { each.open = false; });
  });
  dark.addEventListener("change", draw);
  if (place) { listen(); draw(); }
})();
