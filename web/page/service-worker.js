// Keeps the files of this page for use without a network. build_page.py writes the version, a digest of all files,
// into the next line, so that a browser sees a new version; it replaces the old one as a whole.

const VERSION = "not built";
const LIST = "files.json";

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const inScope = url.href.startsWith(self.registration.scope);
  if (event.request.method === "GET" && inScope) event.respondWith(answer(event.request));
});

// While a new version is copied to the server, some files are old ones: then nothing is kept, and the next visit tries
// again.
async function keep() {
  const list = await fetch(LIST, { cache: "no-cache" });
  const { version, files } = await list.clone().json();
  if (version !== VERSION) throw new Error("files.json is of another version");
  const kept = await Promise.all(Object.entries(files).map(async ([path, digest]) => {
    const response = await fetch(path, { cache: "no-cache" });
    const found = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
    if (hex(found) !== digest) throw new Error(`${path} is of another version`);
    return [path, response];
  }));
  const cache = await caches.open(name(VERSION));
  await Promise.all([[LIST, list], ...kept].map(([path, response]) => cache.put(path, response)));
  for (const key of await caches.keys()) {
    if (key.startsWith(name("")) && key !== name(VERSION)) await caches.delete(key);
  }
  await self.skipWaiting();
}

const hex = (data) => Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, "0")).join("");

const name = (version) => `${self.registration.scope}#${version}`;

async function answer(request) {
  const kept = await caches.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const path = new URL(request.url);
  if (path.href === self.registration.scope) {
    const index = await caches.match(new URL("index.html", path).href);
    if (index) return index;
  }
  return fetch(request);
}
