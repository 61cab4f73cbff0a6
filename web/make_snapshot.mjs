// Writes OUT/python.snapshot: the memory of Python after it has imported the checker and checked the examples, packed
// by gzip. The page starts from it, which takes a fifth of the time of starting Python and importing the checker.
// ftfy is left out: it adds 0.9 MB, and is imported from its wheel where a text looks like mojibake.
//
// Pyodide has this for programs that embed it, and not as a promise; its version is fixed in package-lock.json.
//
//   node web/make_snapshot.mjs OUT

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const out = resolve(process.argv[2]);
const read = (path) => new Uint8Array(readFileSync(`${out}/${path}`));
const { loadPyodide } = await import(pathToFileURL(`${out}/pyodide/pyodide.mjs`));
const { writeFiles } = await import(pathToFileURL(`${out}/python.js`));

const { wheels, modules } = JSON.parse(readFileSync(`${out}/files.json`));
const { examples } = JSON.parse(readFileSync(`${out}/examples.json`));
const python = await loadPyodide({ indexURL: `${out}/pyodide/`, _makeSnapshot: true, env: { PYTHONHASHSEED: "0" } });
writeFiles(python, [...wheels, ...modules].map((path) => [path, read(path)]));
python.globals.set("paths", python.toPy([...wheels, "python"].map((path) => `/page/${path}`)));
python.globals.set("documents", python.toPy(examples.map(({ file, content_type }) => [read(`examples/${file}`), content_type])));
python.runPython(`
import gc, sys
sys.path[:0] = paths
import page_calls
for body, content_type in documents:
    page_calls.check_document(bytes(body), content_type)
    page_calls.repair_document(bytes(body), content_type)
    gc.collect()  # memory never becomes smaller, and the page takes as much
del paths, documents, body, content_type
gc.collect()`);
writeFileSync(`${out}/python.snapshot`, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
