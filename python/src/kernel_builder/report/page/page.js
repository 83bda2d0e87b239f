"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
const tip = document.getElementById("tip");
const FIRST = 15, FOUND = 200;
// The kinds of steps, in the order of the legend, with the colour of each.
const KINDS = { compile: 0, device: 1, host: 2, gather: 3, link: 4, check: 6, other: 5, fetch: 7 };
const SAYS = {
  compile: "compile", device: "code for a GPU", host: "host part of a CUDA unit", gather: "gather targets", link: "link",
  check: "check", other: "other", fetch: "fetched from a cache",
};
const STATES = { built: "built now", fetched: "fetched from a cache", stored: "in the store", absent: "not needed", failed: "failed" };

// ---- words and figures ----

const seconds = (s) => s == null ? "–"
  : s < 9.95 ? `${s.toFixed(1)} s` : s < 119.5 ? `${Math.round(s)} s`
  : s < 7170 ? `${Math.floor(Math.round(s) / 60)} min ${Math.round(s) % 60} s`
  : `${Math.floor(s / 3600)} h ${Math.round(s / 60) % 60} min`;
const tick = (time, step) => step < 1 ? `${time.toFixed(1)} s` : step < 60 && time < 60 ? `${Math.round(time)} s`
  : `${Math.floor(time / 60)}${step < 60 ? `:${String(Math.round(time) % 60).padStart(2, "0")}` : ""} min`;
const bytes = (n) => n == null ? "–" : n < 1e4 ? `${n} B` : n < 1e6 ? `${Math.round(n / 1e3)} kB`
  : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`;
const megabytes = (n) => n ? bytes(n * 2 ** 20) : "–";
const many = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const sum = (list, of) => list.reduce((total, each) => total + (of(each) || 0), 0);
const most = (list, of) => list.reduce((best, each) => best && of(best) >= of(each) ? best : each, null);
const colour = (number) => `var(--c${number % 8})`;
const painted = (number) => getComputedStyle(document.documentElement).getPropertyValue(`--c${number % 8}`).trim();
const groups = (list, key) => {
  const found = new Map();
  for (const each of list) found.has(key(each)) ? found.get(key(each)).push(each) : found.set(key(each), [each]);
  return found;
};

// node("p.soft", "text", {title: "…"}, child …)
function node(what, ...inside) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const each of inside.flat()) {
    if (each == null) continue;
    if (each.nodeType || typeof each === "string") made.append(each);
    else for (const [name, value] of Object.entries(each)) name.startsWith("on") ? (made[name] = value) : made.setAttribute(name, value);
  }
  return made;
}
const section = (title, about, ...inside) =>
  main.appendChild(node("section", node("h2", title), about ? node("p.soft", about) : null, ...inside));
function table(heads, rows, foot = []) {
  const cell = (tag) => (each) => each && each.nodeType ? each : node(tag, String(each ?? ""));
  const line = (tag) => (row) => node("tr", row.map(cell(tag)));
  return node("div.scroll", node("table", node("thead", line("th")(heads)), node("tbody", rows.map(line("td"))),
    node("tfoot", foot.map(line("td")))));
}
const nameOf = (variant) => variant.kernel ? `${variant.kernel}: ${variant.variant}` : variant.variant;
const number = (text, tag = "td") => node(`${tag}.num`, text);

// ---- steps ----

const steps = data.steps;
for (const step of steps) {
  if (step.kernel && step.unit) step.unit = `${step.kernel}: ${step.unit}`;
  step.peak = Math.max(0, ...step.parts.map((part) => part[2]));
  step.took = step.state === "built" || step.state === "failed" ? step.stop - step.start : null;
}
const ran = steps.filter((step) => step.start != null).sort((a, b) => a.start - b.start);
const ofUnits = steps.filter((step) => step.unit);
const label = (step) => step.unit ? `${step.unit}${step.target ? ` for sm_${step.target}` : step.kind === "host" ? ", host part"
  : step.kind === "gather" ? ", targets gathered" : ""}` : step.name;
const tell = (step) => [label(step), `${STATES[step.state]}${step.where ? `, ${step.where}` : ""}: ${seconds(step.took ?? step.stop - step.start)}` +
  `${step.peak ? `, ${megabytes(step.peak)} of memory` : ""}`,
  ...step.parts.map(([part, took, peak]) => `${part}: ${seconds(took)}, ${megabytes(peak)}`),
  step.headers && step.headers !== "none" ? `Torch's headers: ${step.headers}` : null].filter(Boolean).join("\n");

function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${event.clientY + height + 24 > innerHeight ? event.clientY - height - 12 : event.clientY + 16}px`;
}

// ---- what a reader wants first ----

function summary() {
  const count = (state) => ofUnits.filter((step) => step.state === state).length;
  const built = ran.filter((step) => step.state === "built" && step.unit);
  const slowest = most(built.length ? built : ofUnits.filter((step) => step.took), (step) => step.took);
  const thirsty = most(ofUnits.filter((step) => step.peak), (step) => step.peak);
  const library = most(data.variants.filter((each) => each.library), (each) => each.library);
  const others = ["fetched", "stored", "absent", "failed"].filter(count).map((state) => `${count(state)} ${STATES[state]}`);
  const before = Object.entries(data.before).map(([name, took]) => `${name} ${seconds(took)}`);
  const jobs = data.jobs.length ? `${[...new Set(data.jobs)].join(", then ")} jobs on ${many(data.cores, "core")}` : "nothing was compiled";
  const tiles = [
    ["Time", seconds(data.seconds), before.length ? `of it ${before.join(", ")}` : ""],
    ["Compiled", many(count("built"), "step"), [...others, jobs].join("; ")],
    ["Slowest step", slowest ? seconds(slowest.took) : "–", slowest ? label(slowest) : "nothing is known of its steps"],
    ["Most memory", thirsty ? megabytes(thirsty.peak) : "–", thirsty ? label(thirsty) : "nothing is known of its steps"],
    ["Library", library ? bytes(library.library) : "–", library ? (data.variants.length > 1 ? `the largest: ${nameOf(library)}` : library.variant) : "no compiled code"],
  ];
  main.append(
    node("h1", data.name),
    node("p.soft", `${data.system} · ${data.date.slice(0, 16).replace("T", " ")} · ${many(data.variants.length, "variant")} · ${many(data.derivations, "derivation")}`),
    node("div.tiles", tiles.map(([name, value, about]) => node("div.tile", node("span.soft", name), node("b", value), node("span.soft", about)))));
}

// ---- the timeline: a lane for each job, and the memory of what runs at once ----

function lanes() {
  const free = [];
  for (const step of ran) {
    let lane = free.findIndex((end) => end <= step.start + 0.02);
    if (lane < 0) lane = free.length;
    free[lane] = Math.max(step.stop, step.start);
    step.lane = lane;
  }
  return free.length;
}

function timeline() {
  if (!ran.length) return section("Timeline", "Nothing had to be built or fetched.");
  const canvas = node("canvas", { role: "img", "aria-label": "when each step ran" });
  const memory = node("canvas", { role: "img", "aria-label": "memory over time" });
  const hasMemory = ran.some((step) => step.peak);
  const kinds = Object.keys(KINDS).filter((kind) => ran.some((step) => step.kind === kind));
  const total = (kind) => sum(ran.filter((step) => step.kind === kind), (step) => step.stop - step.start);
  section("Timeline", `A bar for each of ${many(ran.length, "step")}. Point at one to see what it was.`, canvas,
    node("div.legend", kinds.map((kind) => node("span", node("i", { style: `background:${colour(KINDS[kind])}` }), `${SAYS[kind]} (${seconds(total(kind))})`))),
    hasMemory ? node("p.soft", { style: "margin-top:14px" }, `Memory, if all that runs at once is at its most${data.memory ? `; ${megabytes(data.memory)} were free` : ""}`) : null,
    hasMemory ? memory : null);
  const count = lanes(), left = 4, from = ran[0].start, until = Math.max(...ran.map((step) => step.stop), from + 0.1);
  const high = Math.max(3, Math.min(20, Math.floor(420 / count)));
  const at = (time, width) => left + (time - from) / (until - from) * (width - 2 * left);

  function prepare(target, height) {
    const width = target.clientWidth, scale = devicePixelRatio || 1;
    target.style.height = `${height}px`;
    target.width = width * scale;
    target.height = height * scale;
    const pen = target.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    return [pen, width];
  }
  function axis(pen, width, bottom) {
    const style = getComputedStyle(document.documentElement);
    const ideal = (until - from) / Math.max(2, width / 80);
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400].find((each) => each >= ideal) || 28800;
    for (let time = Math.ceil(from / step) * step; time <= until; time += step) {
      pen.fillStyle = style.getPropertyValue("--line");
      pen.fillRect(Math.round(at(time, width)), 0, 1, bottom);
      pen.fillStyle = style.getPropertyValue("--soft");
      if (at(time, width) < width - 40) pen.fillText(tick(time, step), at(time, width) + 4, bottom + 13);
    }
  }
  function draw() {
    let [pen, width] = prepare(canvas, count * high + 18);
    axis(pen, width, count * high);
    for (const step of ran) {
      const x = at(step.start, width), wide = Math.max(1, at(step.stop, width) - x - (high > 6 ? 1 : 0));
      pen.fillStyle = painted(KINDS[step.kind]);
      pen.globalAlpha = step.state === "failed" ? 0.45 : 1;
      pen.fillRect(x, step.lane * high, wide, Math.max(2, high - (high > 6 ? 2 : 0.5)));
      pen.globalAlpha = 1;
      if (high >= 14 && wide > 60) {
        pen.save();
        pen.beginPath();
        pen.rect(x, step.lane * high, wide - 4, high);
        pen.clip();
        pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
        pen.fillText(label(step).replace(/.*\/(?=[^/]*$)/, ""), x + 5, step.lane * high + high / 2 + 3);
        pen.restore();
      }
    }
    if (!hasMemory) return;
    const changes = ran.filter((step) => step.peak).flatMap((step) => [[step.start, step.peak], [step.stop, -step.peak]])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let now = 0, peak = 0;
    for (const [, by] of changes) peak = Math.max(peak, now += by);
    const isNear = data.memory && data.memory < peak * 2.5, top = (isNear ? Math.max(peak, data.memory) : peak) * 1.08, tall = 90;
    [pen, width] = prepare(memory, tall + 18);
    axis(pen, width, tall);
    const up = (value) => tall - value / top * tall;
    pen.beginPath();
    pen.moveTo(at(from, width), tall);
    now = 0;
    for (const [time, by] of changes) {
      pen.lineTo(at(time, width), up(now));
      pen.lineTo(at(time, width), up(now += by));
    }
    pen.lineTo(at(until, width), tall);
    pen.fillStyle = painted(0);
    pen.globalAlpha = 0.35;
    pen.fill();
    pen.globalAlpha = 1;
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--soft");
    pen.fillText(`at most ${megabytes(peak)}`, 8, 12);
    if (isNear) {
      pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--bad");
      pen.fillRect(0, up(data.memory), width, 1);
    }
  }
  canvas.onpointermove = (event) => {
    const box = canvas.getBoundingClientRect(), lane = Math.floor((event.clientY - box.top) / high);
    const time = from + (event.clientX - box.left - left) / (box.width - 2 * left) * (until - from), near = (until - from) / box.width * 2;
    const step = ran.find((each) => each.lane === lane && each.start - near <= time && time <= each.stop + near);
    showTip(event, step && tell(step));
  };
  canvas.onpointerleave = (event) => showTip(event, null);
  draw();
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

// ---- units: what each takes, and on what ----

function units() {
  const found = [...groups(ofUnits, (step) => step.unit)].map(([unit, own]) => ({
    unit, own, took: sum(own, (step) => step.took), peak: Math.max(...own.map((step) => step.peak)),
  })).sort((a, b) => b.took - a.took || b.peak - a.peak);
  if (!found.length) return;
  const parts = [...groups(ofUnits.flatMap((step) => step.parts), (part) => part[0])]
    .map(([name, own]) => [name, sum(own, (part) => part[1])]).sort((a, b) => b[1] - a[1]);
  const order = new Map(parts.map(([name], place) => [name, place]));
  const longest = Math.max(found[0].took, 0.1);
  const bar = (own, whole) => node("span.bar", [...groups(own.flatMap((step) => step.parts), (part) => part[0])]
    .sort((a, b) => order.get(a[0]) - order.get(b[0])).map(([name, list]) => node("i", {
      style: `width:${100 * sum(list, (part) => part[1]) / whole}%;background:${colour(order.get(name))}`, title: `${name}: ${seconds(sum(list, (part) => part[1]))}`,
    })));
  const states = (own) => [...groups(own, (step) => step.state)].map(([state, list]) => `${own.length > 1 ? `${list.length} ` : ""}${STATES[state]}`).join(", ");
  const inside = (own) => table(
    ["step", number("time", "th"), number("memory", "th"), "on what", "from where", "Torch's headers"],
    own.slice().sort((a, b) => b.took - a.took).slice(0, FOUND).map((step) => [
      node("td.wide", step.name), number(seconds(step.took)), number(megabytes(step.peak)),
      step.parts.map(([name, took]) => `${name} ${seconds(took)}`).join(", ") || "–", `${STATES[step.state]}${step.where ? `, ${step.where}` : ""}`,
      step.headers && step.headers !== "none" ? step.headers + (step.why ? `: ${step.why}` : "") : "–",
    ]));
  const row = ({ unit, own, took, peak }) => {
    const made = node("details.unit", node("summary",
      node("span.name", unit, " ", node("span.soft", `${many(own.length, "step")}, ${states(own)}`)),
      number(took ? seconds(took) : "–", "span"), number(megabytes(peak), "span"), bar(own, longest)));
    // Thousands of steps are only written where somebody looks.
    made.ontoggle = () => made.open && made.children.length === 1 && made.append(inside(own));
    return made;
  };
  const list = node("div", found.slice(0, FIRST).map(row));
  const rest = found.length - FIRST;
  const all = rest > 0 ? node("button", `Show ${many(rest, "more unit")}`, { onclick: () => { list.append(...found.slice(FIRST).map(row)); all.remove(); } }) : null;
  section("Units", `What the ${many(found.length, "unit")} took in all steps, over all variants, and what on; open one to see its steps.`,
    node("div.legend", parts.map(([name, took]) => node("span", node("i", { style: `background:${colour(order.get(name))}` }), `${name} (${seconds(took)})`))),
    list, all);
}

// ---- how large ----

function sizes() {
  const variants = data.variants.filter((each) => each.steps.some((place) => steps[place].size));
  if (!variants.length) return;
  const place = node("div");
  const choice = node("select", { "aria-label": "variant" }, variants.map((each, n) => node("option", { value: String(n) }, nameOf(each))));
  function show() {
    const own = variants[choice.value || 0].steps.map((number) => steps[number]).filter((step) => step.size);
    const targets = [...new Set(own.filter((step) => step.target).map((step) => step.target))].sort((a, b) => parseInt(a) - parseInt(b) || a.localeCompare(b));
    const inLibrary = (list) => sum(list.filter((step) => step.kind !== "device"), (step) => step.size);
    const cells = (list) => [inLibrary(list), sum(list.filter((step) => step.kind === "host" || step.kind === "compile"), (step) => step.size),
      ...targets.map((target) => sum(list.filter((step) => step.target === target), (step) => step.size))];
    const rows = [...groups(own, (step) => step.unit)].map(([unit, list]) => [unit, cells(list)]).sort((a, b) => b[1][0] - a[1][0]);
    const largest = Math.max(...rows.flatMap(([, values]) => values.slice(1)), 1);
    const heat = (value) => node("td.num.heat", value ? bytes(value) : "", { style: `background:color-mix(in srgb, var(--c1) ${Math.round(45 * value / largest)}%, transparent)` });
    const line = ([unit, values]) => [node("td.wide", unit), number(bytes(values[0])), ...values.slice(1).map(heat)];
    const draw = (shown) => {
      const rest = rows.slice(shown);
      place.replaceChildren(table(["unit", number("objects", "th"), number("host", "th"), ...targets.map((target) => number(`sm_${target}`, "th"))],
        rows.slice(0, shown).map(line), [["all units", ...cells(own).map((value) => number(bytes(value)))],
          ["the library, as it is linked", number(bytes(variants[choice.value || 0].library)), ...targets.map(() => ""), ""]]));
      if (rest.length) place.append(node("button", `Show ${many(rest.length, "more unit")}`, { onclick: () => draw(rows.length) }));
    };
    draw(FIRST);
  }
  choice.onchange = show;
  show();
  section("Size", "The files of each unit: its objects, and the code for each target before it is packed. The library has less: symbols and relocations stay in the objects.",
    variants.length > 1 ? choice : null, place);
}

function variants() {
  section("Variants", null, table(["variant", "state", number("library", "th"), "why"], data.variants.map((each) => [
    node("td.wide", nameOf(each)), node("td", node(`span.state.${each.state.split(" ")[0]}`, each.state)), number(bytes(each.library)), node("td.wide", each.why || ""),
  ])));
}

function everything() {
  const list = node("div"), search = node("input", { type: "search", placeholder: "part of a name", "aria-label": "part of a name" });
  const sorted = steps.slice().sort((a, b) => (a.start ?? 1e9) - (b.start ?? 1e9));
  function show() {
    const found = sorted.filter((step) => step.name.includes(search.value));
    list.replaceChildren(table(["step", number("began", "th"), number("time", "th"), number("memory", "th"), "from where"],
      found.slice(0, FOUND).map((step) => [node("td.wide", step.name), number(step.start == null ? "–" : seconds(step.start)),
        number(seconds(step.took ?? (step.stop != null ? step.stop - step.start : null))), number(megabytes(step.peak)), `${STATES[step.state]}${step.where ? `, ${step.where}` : ""}`])),
      node("p.soft", found.length > FOUND ? `the first ${FOUND} of ${found.length}` : ""));
  }
  search.oninput = show;
  const all = node("details", node("summary", `All ${many(steps.length, "step")}, in the order in which they began`), search, list);
  all.ontoggle = () => all.open && show();
  main.append(node("section", all));
}

summary();
timeline();
units();
sizes();
variants();
everything();
document.documentElement.dataset.drawn = "yes";
