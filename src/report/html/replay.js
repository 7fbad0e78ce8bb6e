// The viewer of recorded games. It knows no rules: the page contains every position.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("replays").textContent);
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const group = $("group"), choice = $("game"), slider = $("slider"), list = $("moves");
  const pieces = $("pieces"), asText = $("as-text"), drawing = $("drawing");
  let game = null, at = 0;

  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const three = (v) => v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2);
  const time = (ns) => {
    for (const [unit, scale] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
      if (ns >= scale) return three(ns / scale) + " " + unit;
    return ns + " ns";
  };
  const side = (p) => ["chance", "first", "second"][p];
  const mover = (p) => p ? data.agents[game.a[p - 1]] : "chance";

  function option(select, text, value) {
    const item = document.createElement("option");
    item.textContent = text;
    item.value = value;
    select.append(item);
  }

  function fillGames() {
    choice.replaceChildren();
    for (const place of data.groups[group.value][1]) {
      const g = data.games[place];
      const why = g.tags ? " [" + g.tags + "]" : "";
      option(choice, `${g.n}: ${data.agents[g.a[0]]} – ${data.agents[g.a[1]]}, ${g.r}, ` +
        `${g.l} plies${why}`, place);
    }
    open(data.games[choice.value]);
  }

  function open(next) {
    game = next;
    slider.max = game.f.length - 1;
    $("players").replaceChildren();
    for (const p of [1, 2]) {
      const name = document.createElement("span");
      name.className = side(p);
      name.textContent = `${mover(p)} (${side(p)})`;
      $("players").append(name, p === 1 ? " against " : "");
    }
    $("ending").textContent = `game ${game.n}, opening ${game.o}: ${game.r} (${game.why})`;
    list.replaceChildren();
    game.f.forEach((shot, i) => {
      if (!shot.m) return;
      const move = document.createElement("button");
      move.type = "button";
      move.textContent = shot.m;
      move.className = side(shot.p) + (shot.o ? " book" : "");
      move.title = `move ${i}: ${mover(shot.p)} plays ${shot.m}` +
        (shot.o ? " (opening)" : "");
      move.addEventListener("click", () => show(i));
      move.dataset.at = i;
      list.append(move);
    });
    // Begin with the last position of the opening.
    const first = game.f.findIndex((shot) => shot.m && !shot.o);
    show(first > 0 ? first - 1 : 0);
  }

  function cellsAt(i) {
    const cells = data.base.slice();
    let changed = [];
    for (let k = 0; k <= i; k++) {
      const c = game.f[k].c || [];
      changed = [];
      for (let j = 0; j < c.length; j += 2) {
        cells[c[j]] = c[j + 1];
        changed.push(c[j]);
      }
    }
    return [cells, i > 0 ? changed : []];
  }

  function make(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  }

  function drawCells(i) {
    const [cells, changed] = cellsAt(i);
    const parts = changed.map((cell) => {
      const [x, y] = data.corners[cell];
      return make("rect", { class: "changed", x: x, y: y, width: 30, height: 30 });
    });
    cells.forEach((piece, cell) => {
      if (!piece) return;
      const [x, y] = data.corners[cell];
      const use = make("use", { href: "#piece" + piece, x: x, y: y, width: 30, height: 30 });
      const title = make("title", {});
      title.textContent = data.pieces[piece];
      use.append(title);
      parts.push(use);
    });
    pieces.replaceChildren(...parts);
  }

  function drawBars(b) {
    for (let i = 0; 3 * i < b.length; i++) {
      const [value, risked, goal] = b.slice(3 * i, 3 * i + 3);
      const wide = (points) => data.goal * Math.min(points, goal) / goal;
      $("value" + i).setAttribute("width", wide(value));
      $("risked" + i).setAttribute("width", wide(value + risked));
      $("score" + i).textContent = risked ? `${value} + ${risked}` : value;
    }
  }

  function drawPath(path) {
    for (const element of drawing.querySelectorAll(".on")) element.classList.remove("on", "at");
    path.forEach((node, i) => {
      for (const element of [$("node" + node), $("link" + node)]) {
        if (!element) continue;
        element.classList.add("on");
        if (i === path.length - 1) element.classList.add("at");
      }
    });
  }

  function sentences(shot) {
    const said = [];
    if (!shot.m) said.push("before the first move");
    else if (!shot.p) said.push(`chance: ${shot.m}`);
    else said.push(`${mover(shot.p)} (${side(shot.p)}) plays ${shot.m}` +
      (shot.o ? ", in the opening" : ""));
    const cost = [];
    if (shot.n !== undefined) cost.push(count(shot.n) + " nodes");
    if (shot.d !== undefined) cost.push("depth " + shot.d);
    if (shot.s !== undefined) cost.push(time(shot.s));
    if (shot.v !== undefined) cost.push("value " + +shot.v.toFixed(4) + " for the first player");
    if (cost.length) said.push(cost.join(" · "));
    if (shot.e) said.push(shot.e[1] > 0
      ? `mistake: regret ${+shot.e[1].toFixed(4)}, exact value ${+shot.e[0].toFixed(4)}`
      : `optimal, exact value ${+shot.e[0].toFixed(4)}`);
    return said.concat(shot.t || []);
  }

  function show(i) {
    at = Math.max(0, Math.min(i, game.f.length - 1));
    const shot = game.f[at];
    asText.hidden = shot.x === undefined;
    if (shot.x !== undefined) asText.textContent = shot.x;
    if (drawing) drawing.style.display = shot.x === undefined ? "" : "none";
    if (shot.x === undefined) {
      if (shot.b) drawBars(shot.b);
      else if (shot.g) drawPath(shot.g);
      else drawCells(at);
    }
    const said = sentences(shot);
    if (at === game.f.length - 1) said.push(`${game.r} (${game.why})`);
    $("said").replaceChildren(...said.map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    }));
    slider.value = at;
    $("place").textContent = `${at} of ${game.f.length - 1}`;
    $("to-start").disabled = $("back").disabled = at === 0;
    $("to-end").disabled = $("forward").disabled = at === game.f.length - 1;
    for (const move of list.children) {
      const here = Number(move.dataset.at) === at;
      move.classList.toggle("here", here);
      if (here) {
        move.setAttribute("aria-current", "true");
        list.scrollTop = move.offsetTop - list.clientHeight / 2;
      } else move.removeAttribute("aria-current");
    }
  }

  data.groups.forEach(([name, games], i) => option(group, `${name} (${games.length})`, i));
  group.addEventListener("change", fillGames);
  choice.addEventListener("change", () => open(data.games[choice.value]));
  slider.addEventListener("input", () => show(Number(slider.value)));
  $("to-start").addEventListener("click", () => show(0));
  $("back").addEventListener("click", () => show(at - 1));
  $("forward").addEventListener("click", () => show(at + 1));
  $("to-end").addEventListener("click", () => show(game.f.length - 1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(step);
  });
  fillGames();
  $("viewer").hidden = false;
})();
