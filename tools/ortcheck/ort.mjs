// This file runs models in ONNX Runtime: a model with its inputs per line on
// standard input, the results on standard output.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const require = createRequire(path.join(process.env.ORT_NODE || process.cwd(), 'x.js'));
const ort = require('onnxruntime-node');

const TYPES = {
  f32: ['float32', Float32Array], f64: ['float64', Float64Array], f16: ['float16', Uint16Array], i8: ['int8', Int8Array], u8: ['uint8', Uint8Array],
  i16: ['int16', Int16Array], i32: ['int32', Int32Array], i64: ['int64', BigInt64Array], bool: ['bool', Uint8Array], bf16: ['bfloat16', Uint16Array],
};
const NAMES = Object.fromEntries(Object.entries(TYPES).map(([k, v]) => [v[0], k]));
if (typeof Float16Array !== 'undefined') TYPES.f16[1] = Float16Array;

// bytesOf gives the data of a tensor: written out, or a part of a file.
function bytesOf({ b, path: file, offset, size }) {
  if (file === undefined) return Buffer.from(b, 'base64');
  const bytes = Buffer.alloc(size), fd = fs.openSync(file, 'r');
  fs.readSync(fd, bytes, 0, size, offset);
  fs.closeSync(fd);
  return bytes;
}

function tensor(v) {
  const [type, Cls] = TYPES[v.t], s = v.s;
  const bytes = bytesOf(v);
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return new ort.Tensor(type, new Cls(copy), s);
}

function data(t) {
  const d = t.data;
  return { t: NAMES[t.type] || t.type, s: Array.from(t.dims), b: Buffer.from(d.buffer, d.byteOffset, d.byteLength).toString('base64') };
}

// The session of the last request that asked to keep it, and the tensors of its
// parameters.
const kept = { path: undefined, session: undefined, stateId: undefined, state: undefined };

async function drop() {
  const old = kept.session;
  kept.path = kept.session = undefined;
  if (old) await old.release();
}

async function open(req) {
  if (req.keep && kept.path === req.path) return kept.session;
  await drop();
  const model = req.path ? req.path : Buffer.from(req.model, 'base64');
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 4, intraOpNumThreads: 1, graphOptimizationLevel: req.optimize || 'basic' });
  if (req.keep) {
    kept.path = req.path;
    kept.session = session;
  }
  return session;
}

function stateOf(req) {
  if (req.stateId !== kept.stateId) {
    kept.stateId = req.stateId;
    kept.state = {};
  }
  return kept.state;
}

async function run(req) {
  let session;
  try {
    session = await open(req);
  } catch (e) {
    return { error: String(e.message), load: true };
  }
  try {
    const feeds = {}, state = stateOf(req);
    for (const name of session.inputNames) {
      if (name in req.feeds) feeds[name] = tensor(req.feeds[name]);
      else if (name in (req.state || {})) feeds[name] = state[name] ??= tensor(req.state[name]);
    }
    const out = await session.run(feeds);
    return { out: session.outputNames.map(n => data(out[n])) };
  } catch (e) {
    return { error: String(e.message) };
  } finally {
    if (!req.keep) await session.release();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  fs.writeSync(1, JSON.stringify(await run(JSON.parse(line))) + '\n');
}
