// The viewer of recorded games. It knows no rules: the page contains every position.
// Addresses: #game=8705&ply=12 is a position, #pair=3-7 are the games of two agents.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("replays").textContent);
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const group = $("group"), choice = $("game"), slider = $("slider"), list = $("moves");
  const pieces = $("pieces"), asText = $("as-text"), drawing = $("drawing");
  const values = $("values"), absent = $("absent");
  let game = null, at = 0, timer = 0;

  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const three = (v) => v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2);
  const time = (ns) => {
    for (const [unit, scale] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
      if (ns >= scale) return three(ns / scale) + " " + unit;
    return ns + " ns";
  };
  const side = (p) => ["chance", "first", "second"][p];
  const mover = (p) => p ? data.agents[game.a[p - 1]] : "chance";

  function option(parent, text, value) {
    const item = document.createElement("option");
    item.textContent = text;
    item.value = value;
    parent.append(item);
  }

  // The games of each pair of agents, whichever agent moves first. The key has the smaller number first.
  const pairKey = (a, b) => `${Math.min(a, b)}-${Math.max(a, b)}`;
  const pairs = new Map();
  data.games.forEach((g, place) => {
    const key = pairKey(...g.a);
    if (!pairs.has(key)) pairs.set(key, []);
    pairs.get(key).push(place);
  });
  const gamesOf = (key) => pairs.get(key) || data.groups[key][1];

  function fillGroups() {
    data.groups.forEach(([name, games], i) => option(group, `${name} (${games.length})`, i));
    const list = document.createElement("optgroup");
    list.label = "games of two agents";
    for (const [key, games] of pairs) {
      const [a, b] = key.split("-").map((agent) => data.agents[agent]);
      option(list, `${a} – ${b} (${games.length})`, key);
    }
    group.append(list);
  }

  // Shows a game, in the chosen list if it is there.
  function choose(place) {
    if (!gamesOf(group.value).includes(place)) {
      group.value = data.groups.findIndex(([, games]) => games.includes(place));
    }
    fillGames(place);
  }

  function fillGames(chosen) {
    choice.replaceChildren();
    for (const place of gamesOf(group.value)) {
      const g = data.games[place];
      const why = g.tags ? " [" + g.tags + "]" : "";
      option(choice, `${g.n}: ${data.agents[g.a[0]]} – ${data.agents[g.a[1]]}, ${g.r}, ` +
        `${g.l} plies${why}`, place);
    }
    if (chosen !== undefined) choice.value = chosen;
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
      move.addEventListener("click", () => go(i));
      move.dataset.at = i;
      const number = data.event && moveNumber(i, i === 1);
      if (!number) return list.append(move);
      const numbered = document.createElement("span");
      numbered.append(number, " ", move);
      list.append(numbered);
    });
    drawValues();
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

  function make(name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // The fields of a FEN after the placement: k has those that do not follow from the move before.
  function fenFields(i) {
    let [side, castling, passant, clock, number] = game.f[0].k.split(" ");
    for (let j = 1; j <= i; j++) {
      [castling, passant, clock] =
        game.f[j].k ? game.f[j].k.split(" ") : [castling, "-", Number(clock) + 1];
      if (side === "b") number++;
      side = side === "w" ? "b" : "w";
    }
    return [side, castling, passant, clock, Number(number)];
  }

  function fen(i) {
    const letters = cellsAt(i)[0].map((piece) => {
      const letter = "kqrbnp"["♚♛♜♝♞♟".indexOf(data.pieces[piece][0])] || " ";
      return data.pieces[piece].includes("first") ? letter.toUpperCase() : letter;
    });
    const rows = letters.join("").match(/.{8}/g);
    const placement = rows.join("/").replace(/ +/g, (gap) => gap.length);
    return [placement, ...fenFields(i)].join(" ");
  }

  // "12." before White's move; "12..." before Black's if it is the first.
  function moveNumber(i, first) {
    const [side, , , , number] = fenFields(i - 1);
    return side === "w" ? number + "." : first ? number + "..." : "";
  }

  function pgn() {
    const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const result = { "first player wins": "1-0", "second player wins": "0-1", draw: "1/2-1/2" };
    const end = result[game.r] || "*";
    const tags = [["Event", data.event], ["Site", "?"], ["Date", "????.??.??"], ["Round", game.n],
      ["White", mover(1)], ["Black", mover(2)], ["Result", end]];
    if (fen(0) !== USUAL) tags.push(["SetUp", "1"], ["FEN", fen(0)]);
    const quoted = (text) => String(text).replace(/["\\]/g, "\\$&");
    const head = tags.map(([name, text]) => `[${name} "${quoted(text)}"]\n`).join("");
    const moves = game.f.slice(1).map((shot, i) => [moveNumber(i + 1, i === 0), shot.m]);
    const words = [...moves.flat().filter(Boolean), `{${game.why}}`, end].join(" ");
    return `${head}\n${words.replace(/(.{1,79})( |$)/g, "$1\n")}\n`;
  }

  async function copy(text, what) {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages from a disk may not use the clipboard in some browsers.
      const area = document.createElement("textarea");
      area.value = text;
      $("viewer").append(area);
      area.select();
      copied = document.execCommand("copy");
      area.remove();
    }
    $("copied").textContent = copied ? what + " copied" : "the browser refused";
  }

  // The values that the agents reported, by ply. A proven win is at the edge.
  const LEFT = 46, RIGHT = 390, TOP = 8, LOW = 104;
  const acrossValues = (i) => LEFT + (RIGHT - LEFT) * i / (game.f.length - 1);

  function drawValues() {
    const known = game.f.map((shot, i) => [i, shot.v, shot.p]).filter(([, v]) => v !== undefined);
    values.toggleAttribute("hidden", known.length < 2);
    if (known.length < 2) return;
    const sizes = known.map(([, v]) => Math.abs(v)).filter((v) => v > 0 && v < 1e9);
    const round = (v) => [1, 2, 4, 10].map((d) => d * 10 ** Math.floor(Math.log10(v)))
      .find((tick) => tick >= v * 0.999);
    const most = Math.min(sizes.length ? round(Math.max(...sizes)) : 1, data.event ? 1000 : Infinity);
    const y = (v) => (TOP + LOW) / 2 - (LOW - TOP) / 2 * Math.max(-1, Math.min(1, v / most));
    const label = (v) => String(Number(v.toPrecision(3))).replace("-", "−");
    const parts = [];
    for (const tick of [-most, -most / 2, 0, most / 2, most]) {
      parts.push(make("line", { class: tick ? "grid" : "axis", x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick) }),
        make("text", { class: "tick end", x: LEFT - 5, y: y(tick) + 4 }, label(tick)));
    }
    const plies = game.f.length - 1, step = Math.max(1, round(plies / 5));
    for (let i = 0; i <= plies; i += step) {
      parts.push(make("text", { class: "tick middle", x: acrossValues(i), y: LOW + 14 }, i));
    }
    parts.push(make("text", { class: "label middle", x: (LEFT + RIGHT) / 2, y: LOW + 27 },
      "value for the first player, by ply"));
    parts.push(make("line", { id: "now", class: "reference", y1: TOP, y2: LOW }));
    for (const p of [1, 2]) {
      const own = known.filter(([, , by]) => by === p).map(([i, v]) => [acrossValues(i), y(v)]);
      const series = make("g", { class: side(p) });
      series.append(make("polyline", { class: "line", points: own.join(" ") }));
      // The shape says whose value it is, and the colour, too.
      if (own.length < 80) for (const [x, y] of own) {
        series.append(p === 1 ? make("circle", { class: "mark", cx: x, cy: y, r: 2.5 })
          : make("rect", { class: "mark", x: x - 2.2, y: y - 2.2, width: 4.4, height: 4.4 }));
      }
      parts.push(series);
    }
    values.replaceChildren(...parts);
  }

  function drawCells(i) {
    const [cells, changed] = cellsAt(i);
    const parts = changed.map((cell) => {
      const [x, y] = data.corners[cell];
      return make("rect", { class: "changed", x: x, y: y, width: data.cell[0], height: data.cell[1] });
    });
    cells.forEach((piece, cell) => { if (piece) parts.push(copyOf(piece, data.corners[cell])); });
    pieces.replaceChildren(...parts);
  }

  function copyOf(piece, [x, y]) {
    const use = make("use", { href: "#piece" + piece, x: x, y: y, width: 30, height: 30 });
    use.append(make("title", {}, data.pieces[piece]));
    return use;
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
      $("dice")?.replaceChildren(...(shot.q || []).map((die, i) => copyOf(die, data.dice[i])));
    }
    const said = sentences(shot);
    if (at === game.f.length - 1) said.push(`${game.r} (${game.why})`);
    $("said").replaceChildren(...said.map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    }));
    slider.value = at;
    if (!values.hasAttribute("hidden")) {
      for (const end of ["x1", "x2"]) $("now").setAttribute(end, acrossValues(at));
    }
    $("place").textContent = `${at} of ${game.f.length - 1}`;
    $("to-start").disabled = $("back").disabled = at === 0;
    $("to-end").disabled = $("forward").disabled = at === game.f.length - 1;
    for (const move of list.querySelectorAll("button")) {
      const here = Number(move.dataset.at) === at;
      move.classList.toggle("here", here);
      if (here) {
        move.setAttribute("aria-current", "true");
        list.scrollTop = move.offsetTop - list.clientHeight / 2;
      } else move.removeAttribute("aria-current");
    }
  }

  // Puts the position into the address.
  function note() {
    absent.hidden = true;
    clearTimeout(timer);
    // Browsers refuse many changes of the address in a short time. A link followed since then counts more.
    const before = location.hash;
    timer = setTimeout(() => {
      if (location.hash === before) history.replaceState(null, "", `#game=${game.n}&ply=${at}`);
    }, 200);
  }

  function go(i) {
    show(i);
    note();
  }

  function toViewer() {
    $("board").scrollIntoView();
    $("forward").focus({ preventScroll: true });
  }

  function say(sentence, command) {
    const code = document.createElement("code");
    code.textContent = command;
    absent.replaceChildren(sentence, code, ". DIR is the folder of this page.");
    absent.hidden = false;
    $("board").scrollIntoView();
  }

  // Follows the address.
  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    clearTimeout(timer);
    if (wanted.has("game")) {
      const number = Number(wanted.get("game")), place = data.games.findIndex((g) => g.n === number);
      if (place >= 0) {
        absent.hidden = true;
        choose(place);
        if (wanted.has("ply")) show(Number(wanted.get("ply")) || 0);
        toViewer();
      } else if (number >= 1 && number <= data.rows) {
        say(`Game ${number} is not stored in this page. To see it, use `, `agon replay DIR ${number}`);
      } else {
        say(`There is no game ${wanted.get("game")}: the run has ${count(data.rows)} games. ` +
          "To see one, use ", "agon replay DIR GAME");
      }
    } else if (wanted.has("pair")) {
      const key = pairKey(...wanted.get("pair").split("-").map(Number));
      if (pairs.has(key)) {
        absent.hidden = true;
        group.value = key;
        fillGames();
        toViewer();
      } else {
        const [a, b] = key.split("-").map((agent) => data.agents[agent] || "an unknown agent");
        say(`The page stores no games of ${a} and ${b}. games.csv has their numbers. To see one, use `,
          "agon replay DIR GAME");
      }
    }
  }

  // Every cell of the cross table leads to its games.
  for (const table of document.querySelectorAll("table.heat")) {
    const agents = table.dataset.agents.split(" ");
    [...table.tBodies[0].rows].forEach((row, i) => agents.forEach((column, j) => {
      const key = pairKey(agents[i], column), cell = row.cells[2 + j];
      if (cell.textContent === "—" || (i === j && !pairs.has(key))) return;
      const link = document.createElement("a");
      link.href = "#pair=" + key;
      // Arrow keys and Enter reach it.
      link.tabIndex = -1;
      link.append(...cell.childNodes);
      cell.append(link);
    }));
    const hint = document.createElement("p");
    hint.className = "note";
    hint.textContent = "A cell leads to its games: click it, or go there with arrow keys and press Enter.";
    table.closest("figure").append(hint);
  }

  fillGroups();
  group.addEventListener("change", () => { fillGames(); note(); });
  choice.addEventListener("change", () => { open(data.games[choice.value]); note(); });
  slider.addEventListener("input", () => go(Number(slider.value)));
  $("to-start").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(at - 1));
  $("forward").addEventListener("click", () => go(at + 1));
  $("to-end").addEventListener("click", () => go(game.f.length - 1));
  values.addEventListener("click", (event) => {
    const box = values.getBoundingClientRect(), x = (event.clientX - box.x) * 400 / box.width;
    go(Math.round((x - LEFT) / (RIGHT - LEFT) * (game.f.length - 1)));
  });
  if (data.event) {
    $("copy-fen").addEventListener("click", () => copy(fen(at), "FEN"));
    $("copy-pgn").addEventListener("click", () => copy(pgn(), "PGN"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: game.f.length - 1 }[event.key];
    if (step === undefined) return;
    // Where the board is out of sight, Home and End scroll the page.
    const board = $("viewer").getBoundingClientRect();
    if (event.key.length < 5 && (board.bottom < 0 || board.top > innerHeight)) return;
    event.preventDefault();
    go(step);
  });
  addEventListener("hashchange", follow);
  fillGames();
  $("viewer").hidden = false;
  follow();
})();
