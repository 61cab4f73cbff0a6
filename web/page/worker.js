// The checker: Python in a worker, so that the page stays responsive. It loads what build_page.py wrote beside it
// (files.json lists it) and answers messages {id, call, ...} with {id, result} or {id, problem}.

import { loadPyodide } from "./pyodide/pyodide.mjs";
import { writeFiles } from "./python.js";

const here = new URL("./", import.meta.url);
const url = (path) => new URL(path, here).href;

async function bytes(path) {
  return new Uint8Array(await (await fetch(url(path))).arrayBuffer());
}

// The same work; its error names the file.
function named(path, work) {
  return work.catch((error) => { throw new Error(`${path}: ${error.message}`); });
}

// Unpacks the memory of Python that make_snapshot.mjs wrote.
async function snapshot() {
  const packed = new Response(await bytes("python.snapshot")).body;
  return new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// Pyodide waits for ever where its code does not arrive whole. So it gets what it fetches as a whole, or not at all.
let refuse;
const refused = new Promise((_, reject) => { refuse = reject; });
refused.catch(() => {});
const fetched = self.fetch;
self.fetch = async (...request) => {
  try {
    const response = await fetched(...request);
    if (!response.ok) throw new Error(`${new URL(response.url).pathname}: the server answered ${response.status}`);
    const data = await response.arrayBuffer();
    const isOther = /\.wasm$/.test(new URL(response.url).pathname) && new TextDecoder().decode(data.slice(0, 4)) !== "\0asm";
    if (isOther) throw new Error(`${new URL(response.url).pathname}: the server answered with something else`);
    return new Response(data, { headers: { "Content-Type": response.headers.get("Content-Type") ?? "" } });
  } catch (error) {
    refuse(error);
    throw error;
  }
};

async function load() {
  const { wheels, modules } = await (await fetch(url("files.json"))).json();
  const paths = [...wheels, ...modules];
  const [python, ...files] = await Promise.all([
    loadPyodide({ indexURL: url("pyodide/"), _loadSnapshot: named("python.snapshot", snapshot()) }),
    ...paths.map(bytes),
  ]);
  writeFiles(python, paths.map((path, at) => [path, files[at]]));
  return { python, calls: python.pyimport("page_calls"), version: python.pyimport("feedcharset").__version__ };
}

// A Python tuple as an array. Bytes become a Uint8Array, None becomes null.
function unpacked(tuple) {
  const values = tuple.toJs({ create_pyproxies: false });
  tuple.destroy();
  return values.map((value) => value ?? null);
}

const CALLS = {
  version: ({ version }) => version,
  file: ({ calls }, { data }) => unpacked(calls.read_file(data)),
  paste: ({ calls }, { text, form, encoding }) => unpacked(calls.read_paste(text, form, encoding)),
  // undefined is Python's None; null is not.
  check: ({ calls }, { body, contentType }) => JSON.parse(calls.check_document(body, contentType ?? undefined)),
  repair: ({ calls }, { body, contentType }) => unpacked(calls.repair_document(body, contentType ?? undefined)),
};

const loaded = Promise.race([load(), refused]);
loaded.catch(() => {}); // each call has its message

self.onmessage = async ({ data: message }) => {
  try {
    self.postMessage({ id: message.id, result: CALLS[message.call](await loaded, message) });
  } catch (error) {
    self.postMessage({ id: message.id, problem: problem(error) });
  }
};

// Of a Python error the message of its last line: "ValueError: Line 2: ..." becomes "Line 2: ...".
function problem(error) {
  const lines = String(error.message ?? error).trim().split("\n");
  return lines.at(-1).replace(/^[\w.]*Error: /, "");
}
