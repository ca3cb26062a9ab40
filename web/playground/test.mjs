// The playground and a report in a real browser: node test.mjs BUILT REPORT [SCREENSHOTS].
// CHROMIUM names the program.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [built, report, shots] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };
const asked = [];
const server = createServer(async (q, a) => {
  const name = new URL(q.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
  asked.push(name);
  try {
    const data = await readFile(join(built, name));
    a.writeHead(200, { "content-type": types[extname(name)] ?? "application/octet-stream" }).end(data);
  } catch {
    a.writeHead(404).end();
  }
});
await new Promise(done => server.listen(0, "127.0.0.1", done));
const home = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const faults = [];
async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60000);
  page.on("pageerror", e => faults.push(String(e)));
  page.on("console", m => m.type() === "error" && faults.push(m.text()));
  page.on("request", r => { if (!r.url().startsWith(home) && !/^(file|data|blob):/.test(r.url())) faults.push("asks for " + r.url()) });
  await page.goto(url);
  return page;
}
const says = (page, text) => page.waitForFunction(t => document.querySelector("#result").textContent.includes(t) && !document.querySelector("#result.old"), text);
const written = async page => { if (shots) await page.screenshot({ path: join(shots, `${++written.count}.png`) }) };
written.count = 0;

try {
  // The page loads, and checks its first example.
  let page = await open(home);
  await says(page, "ceil(H / 4)*ceil(W / 4) == 49");
  assert.deepEqual(await page.locator(".cm-shapes").allTextContents(), (await page.locator(".line .type").allTextContents()), "types behind the lines");
  const loaded = asked.length;
  await written(page);

  // A slider changes conditions, amounts and types.
  assert.equal(await page.locator("tr.holds").count(), 1, "the sizes to begin with satisfy the contract");
  const field = page.getByRole("spinbutton").nth(1);
  await field.fill("64");
  assert.equal(await page.locator("tr.fails").count(), 1);
  await field.fill("28");
  await page.locator(".sizes input[type=checkbox]").check();
  assert.match(await page.locator(".line .type").first().textContent(), /^f32\[\d+,32,14,14\]/);
  assert.ok(await page.locator(".memory path").getAttribute("d"));

  // Each example is checked; none asks the server for anything.
  const gallery = JSON.parse(await readFile(join(built, "gallery.json"), "utf8"));
  for (const [i, x] of gallery.entries()) {
    await page.selectOption("#gallery", String(i));
    await says(page, x.says);
  }
  await written(page);

  // What is typed is checked, and a link brings it back.
  await page.fill("#entry", "f");
  await page.fill("#args", "x:f32[N,7]");
  await page.locator(".cm-content").fill("def f(x):\n    return x.sum(0) @ x.mT  # <b>é</b>\n");
  await says(page, "f32[N]");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 1);
  const link = page.url();
  assert.equal(asked.length, loaded, "a check asks the server for " + asked.slice(loaded));
  const times = [];
  for (let i = 0; i < 5; i++) {
    await page.locator(".cm-content").fill(gallery[0].text + "\n".repeat(i));
    await page.fill("#entry", gallery[0].entry);
    await page.fill("#args", gallery[0].args.join("; "));
    await says(page, gallery[0].says);
    await page.waitForFunction(() => /^\d+ ms$/.test(document.querySelector("#state").textContent));
    times.push(parseInt(await page.locator("#state").textContent()));
  }
  await page.close();
  page = await open(link);
  await says(page, "f32[N]");
  assert.ok((await page.locator(".cm-content").textContent()).includes("# <b>é</b>"));
  for (const bad of ["#x", "#%%%", "#" + "A".repeat(50)]) {
    await page.goto(home + "?" + bad);
    await says(page, gallery[0].says);
  }
  await page.close();

  // A report works from a file.
  page = await open(pathToFileURL(resolve(report)).href);
  assert.ok(await page.locator("section.entry").count());
  assert.ok(await page.locator(".memory path").getAttribute("d"));
  await page.locator(".sizes input[type=checkbox]").first().check();
  await written(page);
  const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await bare.goto(pathToFileURL(resolve(report)).href);
  assert.ok(await bare.getByText("Holds when").isVisible() && await bare.locator(".line .type").first().isVisible(), "without scripts");
  assert.deepEqual(faults, []);
  console.log(`browser: ${gallery.length} examples, ${loaded} files loaded; a check of the first takes ${Math.min(...times)} ms`);
} catch (e) {
  console.error(faults.join("\n"));
  throw e;
} finally {
  await browser.close();
  server.close();
}
