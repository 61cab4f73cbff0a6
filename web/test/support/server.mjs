// A static file server on 127.0.0.1, as plain as they come: the page must work from any.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".json": "application/json", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

// `broken`: a path that is "missing", "cut" off in the middle, or answered with "another" page.
export function serve(folder, broken, how = "missing") {
  const server = createServer((request, response) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://a/").pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    const isBroken = broken !== undefined && file.endsWith(broken);
    if (!existsSync(file) || (isBroken && how === "missing")) return response.writeHead(404).end();
    if (isBroken && how === "another") return response.writeHead(200, { "Content-Type": "text/html" }).end("<html>sign in");
    const size = statSync(file).size;
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": size });
    if (isBroken) {
      createReadStream(file, { end: size >> 1 }).on("end", () => response.destroy()).pipe(response, { end: false });
      return;
    }
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
  })));
}
