// What moves in a section: a number for each symbol, and with it every type, condition and amount.
"use strict";
const shapecheck = (() => {
  // evaluate reads an expression or condition as the program prints them: integers, names, + - * // % **,
  // comparisons (also chained), and, or, not, max, min, abs, ceil(a / b), floor(a / b). It throws where it cannot.
  function evaluate(text, sizes) {
    const tokens = text.match(/\d+|[\p{L}_][\p{L}\p{N}_.]*|\/\/|\*\*|[<>=!]=|[-+*\/%()<>,]|\S/gu) || [];
    let at = 0;
    const take = (...list) => list.includes(tokens[at]) ? tokens[at++] : undefined;
    const expect = t => { if (!take(t)) throw new SyntaxError(text) };
    function atom() {
      const t = tokens[at++];
      if (t === "(") { const v = or(); expect(")"); return v }
      if (/^\d/.test(t)) return Number(t);
      const call = { max: Math.max, min: Math.min, abs: Math.abs, ceil: Math.ceil, floor: Math.floor, int: Math.trunc }[t];
      if (call && take("(")) {
        const args = [or()];
        while (take(",")) args.push(or());
        expect(")");
        return call(...args);
      }
      if (!Object.hasOwn(sizes, t)) throw new SyntaxError(text);
      return sizes[t];
    }
    function power() { const v = atom(); return take("**") ? v ** unary() : v }
    function unary() { return take("-") ? -unary() : power() }
    function product() {
      let v = unary();
      for (let op; op = take("*", "//", "%", "/");) {
        const w = unary();
        if (op !== "*" && w === 0) throw new RangeError(text);
        v = op === "*" ? v * w : op === "//" ? Math.floor(v / w) : op === "%" ? v - w * Math.floor(v / w) : v / w;
      }
      return v;
    }
    function sum() {
      let v = product();
      for (let op; op = take("+", "-");) v = op === "+" ? v + product() : v - product();
      return v;
    }
    function comparison() {
      let v = sum(), all = true, any = false;
      for (let op; op = take("==", "!=", "<=", ">=", "<", ">"); v = any) {
        any = sum();
        all = all && { "==": v === any, "!=": v !== any, "<=": v <= any, ">=": v >= any, "<": v < any, ">": v > any }[op];
        if (![ "==", "!=", "<=", ">=", "<", ">" ].includes(tokens[at])) return all;
      }
      return v;
    }
    function not() { return take("not") ? !not() : comparison() }
    function and() { let v = not(); while (take("and")) v = not() && v; return v }
    function or() { let v = and(); while (take("or")) v = and() || v; return v }
    const v = or();
    if (at < tokens.length || typeof v === "number" && !Number.isSafeInteger(v)) throw new SyntaxError(text);
    return v;
  }
  const known = (text, sizes) => { try { return evaluate(text, sizes) } catch { return undefined } };

  // numbers puts numbers into the shapes of a type; other parts stay.
  function numbers(text, sizes) {
    return text.replace(/(\b(?:[fiuc]\d+|bf16|bool|f8\w*)(?:\*?))\[([^\[\]]*)\]/g, (all, dtype, dims) => {
      let depth = 0, parts = [""];
      for (const c of dims) {
        depth += c === "(" ? 1 : c === ")" ? -1 : 0;
        if (c === "," && depth === 0) parts.push(""); else parts[parts.length - 1] += c;
      }
      return dtype + "[" + parts.map(d => known(d, sizes) ?? d).join(",") + "]";
    });
  }

  function amount(n, unit) {
    if (unit === "B") {
      const k = n < 1e3 ? 0 : n < 1e6 ? 1 : n < 1e9 ? 2 : 3;
      return (k ? (n / 1000 ** k).toFixed(1) : n) + " " + ["B", "kB", "MB", "GB"][k];
    }
    const k = n < 1e4 ? 0 : n < 1e6 ? 1 : n < 1e9 ? 2 : n < 1e12 ? 3 : 4;
    return k ? (n / 1000 ** k).toFixed(1) + " " + ["", "k", "M", "G", "T"][k] : String(n);
  }

  // given are the sizes of an example, "B=1 H=224".
  const given = text => Object.fromEntries((text || "").split(" ").filter(Boolean).map(p => p.split("=")).map(([n, v]) => [n, Number(v)]));

  // start finds sizes that satisfy the conditions, as far as trying common ones does: for contracts of which no example is known.
  function start(names, conditions) {
    const common = [32, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 17, 24, 28, 30, 48, 64, 65, 96, 100, 128, 224, 256, 512, 768, 1024];
    const all = v => Object.fromEntries(names.map(n => [n, v]));
    const holding = sizes => conditions.filter(c => known(c, sizes) !== false).length;
    const sizes = common.map(all).reduce((a, b) => holding(b) > holding(a) ? b : a);
    const held = () => holding(sizes);
    for (let pass = 0; pass < 3 && held() < conditions.length; pass++)
      for (const n of names) {
        let best = sizes[n], most = held();
        for (const v of common) {
          sizes[n] = v;
          if (held() > most) [best, most] = [v, held()];
        }
        sizes[n] = best;
      }
    return sizes;
  }

  function plot(figure, sizes) {
    const data = figure.data ??= JSON.parse(figure.querySelector("script").textContent);
    const values = data.amounts.map(a => known(a, sizes));
    figure.hidden = values.includes(undefined);
    if (figure.hidden) return;
    const points = data.bytes.map(i => values[i]), top = Math.max(...points, 1), n = points.length;
    const peak = points.indexOf(Math.max(...points));
    let d = `M0,100`;
    points.forEach((p, i) => d += `L${(i / n * 1000).toFixed(1)},${(100 - 95 * p / top).toFixed(1)}H${((i + 1) / n * 1000).toFixed(1)}`);
    let svg = figure.querySelector("svg");
    if (!svg) {
      svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 1000 100");
      svg.setAttribute("preserveAspectRatio", "none");
      svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
      svg.setAttribute("role", "img");
      figure.append(svg);
    }
    svg.firstChild.setAttribute("d", d + "L1000,100Z");
    figure.querySelector("figcaption").textContent = `Memory of activations over the run: ${amount(points[peak], "B")} at ${data.places[data.at[peak]]}`;
  }

  function activate(section) {
    const names = section.dataset.symbols.split(" ").filter(Boolean);
    const conditions = [...section.querySelectorAll("[data-cond]")];
    const amounts = [...section.querySelectorAll("[data-expr]")];
    const types = [...section.querySelectorAll(".type")].map(e => [e, e.textContent]);
    const figure = section.querySelector(".memory");
    const example = given(section.dataset.example);
    const sizes = names.every(n => example[n] > 0) ? example : { ...start(names, conditions.map(c => c.dataset.cond)), ...example };
    let numeric = false;
    function update() {
      let refused = false;
      for (const c of conditions) {
        const v = known(c.dataset.cond, sizes);
        c.className = v === undefined ? "" : v ? "holds" : "fails";
        refused ||= v === false && !("training" in c.dataset);
      }
      section.classList.toggle("refused", refused); // there are no results for these sizes
      const most = {};
      for (const a of amounts) {
        const v = known(a.dataset.expr, sizes);
        if (typeof v !== "number") continue;
        a.textContent = amount(v, a.dataset.unit);
        a.title = a.dataset.expr;
        const kind = a.classList.contains("macs") ? "macs" : "params";
        if (a.classList.contains("amount")) most[kind] = Math.max(most[kind] || 1, a.value = v);
      }
      for (const a of amounts)
        if (a.value) a.style.setProperty("--share", 100 * a.value / most[a.classList.contains("macs") ? "macs" : "params"] + "%");
      for (const [e, text] of types) e.textContent = numeric ? numbers(text, sizes) : text;
      if (figure) plot(figure, sizes);
    }
    const bar = section.querySelector(".sizes");
    for (const n of names) {
      const label = document.createElement("label"), range = document.createElement("input"), field = document.createElement("input");
      label.append(n, range, field);
      range.type = "range", field.type = "number";
      range.min = field.min = 1, range.max = Math.max(512, 2 * sizes[n]);
      range.value = field.value = sizes[n];
      range.setAttribute("aria-label", n);
      range.oninput = () => { sizes[n] = Number(field.value = range.value); update() };
      field.oninput = () => { if (field.value >= 1) { sizes[n] = Math.floor(field.value); range.value = sizes[n]; update() } };
      bar.append(label);
    }
    if (names.length) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.onchange = () => { numeric = box.checked; update() };
      label.append(box, "numbers in types");
      bar.append(label);
      bar.hidden = false;
    }
    update();
  }
  return { activate, evaluate, numbers };
})();
document.querySelectorAll("section.entry").forEach(shapecheck.activate);
