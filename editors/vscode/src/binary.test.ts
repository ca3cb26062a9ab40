import { strict as assert } from "node:assert";
import { test } from "node:test";
import { findProgram, sameVersion } from "./binary";

const machine = (platform: string, ...files: string[]) => ({ platform, exists: (f: string) => files.includes(f) });
const places = { setting: "", folders: ["/a", "/b"], python: "/env/bin/python", extension: "/ext" };

test("the setting is first, and must exist", () => {
  const all = machine("linux", "/own/sc", "/b/tools/sc", "/a/.venv/bin/shapecheck");
  assert.equal(findProgram({ ...places, setting: "/own/sc" }, all), "/own/sc");
  assert.equal(findProgram({ ...places, setting: "tools/sc" }, all), "/b/tools/sc");
  assert.throws(() => findProgram({ ...places, setting: "/none" }, all), /\/none does not exist/);
});

test("then the folders' environments, the selected one, the bundled one, PATH", () => {
  const files = ["/a/venv/bin/shapecheck", "/b/.venv/bin/shapecheck", "/env/bin/shapecheck", "/ext/bundled/shapecheck"];
  for (let i = 0; i < files.length; i++) {
    assert.equal(findProgram(places, machine("linux", ...files.slice(i))), files[i]);
  }
  assert.equal(findProgram(places, machine("linux")), "shapecheck");
});

test("Windows", () => {
  const m = machine("win32", "C:\\p\\.venv\\Scripts\\shapecheck.exe");
  assert.equal(findProgram({ ...places, folders: ["C:\\p"], python: undefined }, m), "C:\\p\\.venv\\Scripts\\shapecheck.exe");
});

test("a folder that is not trusted is none", () => {
  assert.equal(findProgram({ ...places, folders: [], python: undefined }, machine("linux", "/a/.venv/bin/shapecheck")), "shapecheck");
});

test("a program of the extension's version, also before it is released", () => {
  for (const program of ["0.2.0", "0.2.0rc1", "0.2.0-rc.1", "0.2.0.dev20261123+g70bbbf6"]) {
    assert.ok(sameVersion(program, "0.2.0"), program);
  }
  for (const program of ["0.2.1", "0.2.01", "0.2", "0.12.0", "10.2.0", ""]) {
    assert.ok(!sameVersion(program, "0.2.0"), program);
  }
});
