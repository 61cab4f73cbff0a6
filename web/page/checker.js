// The worker that checks documents, and calls of its functions.

// A worker of a blob inherits the policy of this page; one of a URL would have its own.
const script = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
const waiting = new Map();
let lastId = 0;
let failure = null; // why the worker cannot be started

worker.onmessage = ({ data: { id, result, problem } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (problem === undefined) resolve(result);
  else reject(new Error(problem));
};

// Calls `told` with a message where the worker cannot be started.
export function onFailure(told) {
  worker.onerror = (event) => {
    event.preventDefault();
    failure = new Error(`The checker cannot be loaded. ${event.message ?? ""}`);
    waiting.forEach(({ reject }) => reject(failure));
    waiting.clear();
    told(failure.message);
  };
}

// Calls a function of worker.js; a promise of its result.
export function call(name, parameters = {}) {
  if (failure) return Promise.reject(failure);
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call: name, ...parameters });
  });
}
