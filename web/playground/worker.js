// The worker: the checker's program, one message for each check.
"use strict";
importScripts("wasm_exec.js");
const go = new Go();
WebAssembly.instantiateStreaming(fetch("shapecheck.wasm"), go.importObject)
  .then(({ instance }) => go.run(instance))
  .then(() => postMessage({ failed: "the checker ended" }), e => postMessage({ failed: String(e) }));
onmessage = ({ data }) => {
  const began = performance.now();
  try {
    postMessage({ answer: shapecheck(data), took: performance.now() - began });
  } catch (e) {
    postMessage({ failed: String(e) });
  }
};
