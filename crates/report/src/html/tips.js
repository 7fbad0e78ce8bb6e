// Shows the tooltip of a mark or a cell without a mouse: by a tap, or by Tab and the arrow keys.
// Marks tables that are wider than the screen.
"use strict";
(() => {
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);
  let shown = null;

  function hide() {
    if (shown) shown.classList.remove("active");
    shown = null;
    tip.hidden = true;
  }

  function show(mark) {
    if (!mark) return;
    hide();
    shown = mark;
    mark.classList.add("active");
    tip.textContent = mark.getAttribute("title") || mark.querySelector("title").textContent;
    tip.hidden = false;
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    const left = Math.min(box.x + box.width / 2 - own.width / 2, wide - own.width - 4);
    const below = box.bottom + 6 + own.height <= innerHeight;
    tip.style.left = Math.max(4, left) + scrollX + "px";
    tip.style.top = (below ? box.bottom + 6 : box.y - own.height - 6) + scrollY + "px";
  }

  const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

  // The next mark of a chart; in a table the next cell with a tooltip, in that direction.
  function next(host, marks, [right, down]) {
    const at = marks.indexOf(shown);
    if (at < 0) return marks[0];
    if (!host.rows) return marks[Math.max(0, Math.min(at + right + down, marks.length - 1))];
    let [row, column] = [shown.parentElement.rowIndex, shown.cellIndex], cell;
    do {
      row += down;
      column += right;
      cell = host.rows[row] && host.rows[row].cells[column];
    } while (cell && !cell.title);
    return cell || shown;
  }

  for (const host of document.querySelectorAll("svg.chart, table.heat")) {
    const marks = [...host.querySelectorAll("title, [title]")].map((element) =>
      element.matches("title") ? element.parentNode : element);
    if (!marks.length) continue;
    host.tabIndex = 0;
    host.addEventListener("click", (event) => {
      const mark = marks.find((mark) => mark.contains(event.target));
      const link = event.target.closest("a");
      // A mouse shows what a link is for before the click. A finger taps a second time.
      if (link && (event.pointerType !== "touch" || mark === shown)) return hide();
      if (link) event.preventDefault();
      if (mark && mark !== shown) show(mark);
      else hide();
    });
    host.addEventListener("focus", () => { if (host.matches(":focus-visible")) show(marks[0]); });
    host.addEventListener("blur", hide);
    host.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      const link = shown && shown.querySelector("a");
      if (event.key === "Enter" && link) return link.click();
      const step = STEPS[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      // The same keys step through a game.
      event.stopPropagation();
      show(next(host, marks, step));
    });
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("svg.chart, table.heat")) hide();
  });

  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(".scroll");
      const wider = box.scrollWidth > box.clientWidth + 1;
      box.classList.toggle("more", wider);
      const scrolls = wider || box.scrollHeight > box.clientHeight + 1;
      if (scrolls && !box.querySelector("table.heat")) box.tabIndex = 0;
    }
  });
  for (const box of document.querySelectorAll(".scroll")) {
    watch.observe(box);
    watch.observe(box.firstElementChild);
  }
})();
