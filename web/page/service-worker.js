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

async function keep() {
  const { files } = await (await fetch(LIST, { cache: "no-cache" })).json();
  const cache = await caches.open(name(VERSION));
  await cache.addAll([LIST, ...files].map((path) => new Request(path, { cache: "no-cache" })));
  for (const key of await caches.keys()) {
    if (key.startsWith(name("")) && key !== name(VERSION)) await caches.delete(key);
  }
  await self.skipWaiting();
}

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
