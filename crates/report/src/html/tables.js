// Sorts a table by the column whose head is clicked.
"use strict";
(() => {
  const UNITS = { ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
  // A bound follows or precedes its number: ≥ 300 is a little more than 300.
  const BOUNDS = { "≥": 1, ">": 1, "≤": -1, "<": -1 };

  // The number at the beginning of a cell: 1 234, −7, ≥ +300, [+12, +40], 4.26 µs. Without one: null.
  function number(text) {
    const found = /^([≥>≤<]?)\s*\[?([+−-]?)(\d+(?: \d{3})*(?:\.\d+)?)\s*(ns|µs|ms|s|k|M|G|T)?(?![a-z])/
      .exec(text.replace("10⁶", "1000000"));
    if (!found) return null;
    const [, bound, sign, digits, unit] = found;
    const value = Number(digits.replaceAll(" ", "")) * (UNITS[unit] || 1);
    return [sign === "−" || sign === "-" ? -value : value, BOUNDS[bound] || 0];
  }

  const words = new Intl.Collator(undefined, { numeric: true });

  function sort(table, head) {
    const column = head.cellIndex, body = table.tBodies[0];
    // Ranks such as 2.10 are no fractions.
    const asText = head.classList.contains("left") || head.textContent === "#";
    const before = head.getAttribute("aria-sort");
    const upward = before ? before === "descending" : asText;
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", upward ? "ascending" : "descending");
    const rows = [...body.rows].map((row) => {
      const text = row.cells[column].textContent.trim();
      return { row, text, key: asText ? null : number(text) };
    });
    rows.sort((a, b) => {
      // Missing values are last in both directions.
      if (!asText && (!a.key || !b.key)) return (a.key ? 0 : 1) - (b.key ? 0 : 1);
      const order = asText ? words.compare(a.text, b.text)
        : a.key[0] - b.key[0] || a.key[1] - b.key[1];
      return upward ? order : -order;
    });
    body.append(...rows.map(({ row }) => row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head));
      head.append(button);
    }
  }
})();
