// The page: an editor, a worker that checks, and what it found.
import { basicSetup } from "codemirror";
import { python } from "@codemirror/lang-python";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

const $ = id => document.getElementById(id);
const patience = 250; // milliseconds without a key before a check
const hopeless = 30000; // after which a check is given up
let worker, ready = false, busy = false, again = false, timer, limit;

// What lines make stands behind them, and moves with them until the next check.
class Shape extends WidgetType {
  constructor(text) { super(); this.text = text }
  eq(other) { return other.text === this.text }
  toDOM() {
    const e = document.createElement("span");
    e.className = "cm-shapes";
    e.textContent = this.text;
    return e;
  }
}
const setLines = StateEffect.define();
const lines = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    marks = marks.map(change.changes);
    for (const e of change.effects) if (e.is(setLines)) marks = e.value;
    return marks;
  },
  provide: f => EditorView.decorations.from(f),
});
function marksOf(list, doc) {
  const marks = [];
  for (const { number, type, severity } of list) {
    if (number > doc.lines) continue; // it was deleted during the check
    const line = doc.line(number);
    if (severity) marks.push(Decoration.line({ class: "cm-" + severity }).range(line.from));
    if (type) marks.push(Decoration.widget({ widget: new Shape(type), side: 1 }).range(line.to));
  }
  return Decoration.set(marks, true);
}

const editor = new EditorView({
  parent: $("editor"),
  state: EditorState.create({
    extensions: [basicSetup, python(), lines, EditorView.updateListener.of(u => { if (u.docChanged) soon() })],
  }),
});
const program = () => ({ text: editor.state.doc.toString(), entry: $("entry").value.trim(), args: $("args").value.split(";").map(a => a.trim()).filter(Boolean) });
function show({ text, entry, args }) {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  $("entry").value = entry;
  $("args").value = args.join("; ");
}

function start() {
  worker?.terminate();
  ready = busy = false;
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data === "ready") {
      ready = true;
      check();
      return;
    }
    busy = false;
    clearTimeout(limit);
    if (data.failed) return fail(data.failed);
    draw(JSON.parse(data.answer), data.took);
    if (again) check();
  };
  worker.onerror = e => fail(e.message || "the worker could not be started");
}

function fail(message) {
  $("state").textContent = "stopped";
  const p = document.createElement("p");
  p.className = "failure";
  p.textContent = message;
  $("result").replaceChildren(p);
}

function draw(answer, took) {
  const result = $("result"), parts = document.createElement("template");
  parts.innerHTML = answer.sections.join(""); // made by the checker, which escapes what programs say
  result.replaceChildren(parts.content);
  if (answer.error) {
    const p = document.createElement("p");
    p.className = "failure";
    p.textContent = answer.error;
    result.prepend(p);
  }
  result.querySelectorAll("section.entry").forEach(shapecheck.activate);
  if (!again) editor.dispatch({ effects: setLines.of(marksOf(answer.lines, editor.state.doc)) }); // else they are of an older text
  result.classList.remove("old");
  $("state").textContent = `${took.toFixed(0)} ms`;
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(check, patience);
}

function check() {
  if (!ready) return;
  if (busy) {
    again = true;
    return;
  }
  busy = true, again = false;
  $("result").classList.add("old");
  $("state").textContent = "checking…";
  limit = setTimeout(() => { fail("This took too long and was stopped."); start() }, hopeless);
  worker.postMessage(JSON.stringify(program()));
}

// A link's last part is "#" and the program: JSON, deflated, in base64url.
async function squeeze(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function toLink(value) {
  const bytes = await squeeze(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  return "#" + btoa(Array.from(bytes, b => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
const longest = 1 << 20; // characters of a program in a link
async function fromLink(hash) {
  const text = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await squeeze(Uint8Array.from(text, c => c.charCodeAt(0)), new DecompressionStream("deflate-raw"));
  const value = bytes.length <= longest && JSON.parse(new TextDecoder().decode(bytes));
  if (typeof value?.text !== "string" || typeof value.entry !== "string" || !Array.isArray(value.args) || !value.args.every(a => typeof a === "string")) throw new Error("no program");
  return value;
}

$("share").onclick = async () => {
  history.replaceState(null, "", await toLink(program()));
  await navigator.clipboard?.writeText(location.href).then(() => $("state").textContent = "the link is in the clipboard", () => { });
};
$("entry").oninput = $("args").oninput = soon;

start();
const gallery = await (await fetch("gallery.json")).json();
$("gallery").append(...gallery.map((x, i) => new Option(x.name, i)));
$("gallery").onchange = () => show(gallery[$("gallery").value]);
show(location.hash.length > 1 ? await fromLink(location.hash).catch(() => gallery[0]) : gallery[0]);
document.body.dataset.loaded = "yes";
