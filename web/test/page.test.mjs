// The built page in headless Chromium: what a publisher does with it.
//
//   PAGE=build/web CHROMIUM=/usr/bin/chromium node --test web/test/

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";

const PAGE = resolve(process.env.PAGE ?? "build/web");
const FEED = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Žižkov ☃</title></channel></rss>\n');
const LEGACY = Buffer.concat([
  Buffer.from('<?xml version="1.0" encoding="windows-1252"?>\n<rss version="2.0"><channel><title>caf'),
  Buffer.from([0xe9, 0x20, 0x93, 0x94, 0x08]), Buffer.from("</title></channel></rss>\n")]);

const profile = mkdtempSync(join(tmpdir(), "page-"));
let server, context, page;
const foreign = [];

before(async () => {
  server = await serve(PAGE);
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    acceptDownloads: true,
    viewport: { width: 1280, height: 900 },
  });
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) foreign.push(request.url());
  });
  page = await context.newPage();
  page.on("pageerror", (error) => assert.fail(error));
  await open();
});

after(async () => {
  await context?.close();
  await server?.stop();
  rmSync(profile, { recursive: true, force: true });
});

async function open() {
  await page.goto(server.url);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });
}

// Does something that starts a check, waits until its answer is shown, and returns the verdict.
async function verdict(action) {
  const before = await page.evaluate(() => Number(document.documentElement.dataset.shown ?? 0));
  await action();
  await page.waitForFunction((before) => Number(document.documentElement.dataset.shown ?? 0) > before
    || document.querySelector("#status.problem:not([hidden])"), before, { timeout: 60_000 });
  assert.equal(await page.isVisible("#status"), false, await page.textContent("#status"));
  return page.textContent("#verdict-title");
}

const texts = (selector) => page.$$eval(selector, (found) => found.map((one) => one.textContent));

function drop(name, bytes) {
  return verdict(() => page.evaluate(([name, bytes]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [name, [...bytes]]));
}

function setHeader(value) {
  return verdict(() => page.fill("#content-type", value));
}

test("drop a file, read the decision", async () => {
  assert.equal(await drop("feed.xml", FEED), "Every reader gets the right text");
  assert.equal(await page.textContent("#decided"), "UTF-8");
  assert.equal(await page.textContent("#title"), "Žižkov ☃");
  assert.deepEqual(await texts("#readings .badge"), ["right text", "right text", "right text", "right text"]);
});

test("a file that is dropped while the checker is loaded is checked then", async () => {
  await page.goto(server.url, { waitUntil: "domcontentloaded" });
  assert.equal(await page.getAttribute("html", "data-ready"), null);
  assert.equal(await drop("feed.xml", FEED), "Every reader gets the right text");
});

test("a dropped file is sent with the type of its root, until a header is named", async () => {
  const atom = Buffer.from('<feed xmlns="http://www.w3.org/2005/Atom"><title>é</title></feed>');
  assert.equal(await drop("atom.xml", atom), "Every reader gets the right text");
  assert.equal(await page.inputValue("#content-type"), "application/atom+xml");
  await drop("feed.xml", FEED);
  assert.equal(await setHeader("Content-Type: application/rss+xml; charset=utf-8"), "Every reader gets the right text");
  assert.notEqual(await drop("atom.xml", atom), "Every reader gets the right text");
  await drop("feed.xml", FEED);
});

test("Enter on how it is sent leaves the document, and a problem hides all of its report", async () => {
  await drop("feed.xml", FEED);
  await page.focus("#sent-header");
  assert.equal(await verdict(() => page.keyboard.press("Enter")), "Every reader gets the right text");
  assert.equal(await page.textContent("#title"), "Žižkov ☃");
  await page.click("#paste > summary");
  await page.click("text=Check what I pasted");
  await page.waitForSelector("#status.problem");
  assert.equal(await page.isVisible("#report"), false);
  assert.equal(await page.getAttribute("#verdict-link", "hidden"), "");
  await page.click("#paste > summary");
  await drop("feed.xml", FEED);
});

test("text that is dragged is for the field", async () => {
  const taken = await page.evaluate(() => ["#pasted", "body"].map((selector) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "<rss/>");
    const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.querySelector(selector).dispatchEvent(event);
    return event.defaultPrevented;
  }));
  assert.deepEqual(taken, [false, true]);
  assert.match(await page.textContent("#status"), /^Drop a file/);
});

test("change the header, read the finding, try its fix", async () => {
  assert.notEqual(await setHeader("text/xml"), "Every reader gets the right text");
  assert.ok((await texts("#findings code")).includes("text-xml-without-charset"));
  assert.ok((await texts("#readings .badge")).some((word) => word !== "right text"));
  assert.equal(await verdict(() => page.click("text=Try this header")), "Every reader gets the right text");
  assert.match(await page.inputValue("#content-type"), /charset=utf-8/i);
});

test("a wrong charset shows what its readers see", async () => {
  await setHeader("application/rss+xml; charset=ISO-8859-1");
  assert.equal(await page.textContent("#decided"), "UTF-8");
  assert.match((await texts("#readings .excerpt")).join(), /Å/);
});

test("choose a file, download the repaired copy", async () => {
  const path = join(profile, "legacy.xml");
  writeFileSync(path, LEGACY);
  await setHeader("application/rss+xml");
  await verdict(() => page.setInputFiles("#file", path));
  assert.equal(await page.textContent("#decided"), "windows-1252");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  assert.equal(download.suggestedFilename(), "legacy.utf8.xml");
  assert.equal(readFileSync(await download.path(), "utf8"),
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>café “”\ufffd</title></channel></rss>\n');
  assert.equal(await page.textContent("#repaired-header"), "Content-Type: application/rss+xml; charset=utf-8");
});

test("paste a response, and hexadecimal digits", async () => {
  await page.click("#paste > summary");
  await page.fill("#pasted", "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n<rss><channel><title>日本</title></channel></rss>");
  await verdict(() => page.click("text=Check what I pasted"));
  assert.equal(await page.inputValue("#content-type"), "text/plain");
  assert.equal(await page.textContent("#title"), "日本");
  await page.check("input[name=form][value=hex]");
  await page.fill("#pasted", "FE FF 00 3C 00 61 00 2F 00 3E");
  await verdict(() => page.click("text=Check what I pasted"));
  assert.equal(await page.textContent("#decided"), "UTF-16BE");
  await page.fill("#pasted", "FE FG");
  await page.click("text=Check what I pasted");
  await page.waitForSelector("#status.problem");
  assert.match(await page.textContent("#status"), /^Line 1: “FG”/);
  await page.fill("#pasted", "00000000: 3c61 3e20 2020 2020 2020 2020 2020 2020  <a>\n00000020: 3c2f 613e 0a                             </a>.");
  await page.click("text=Check what I pasted");
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("Line 2: 00000020 is not"));
  await page.check("input[name=form][value=text]");
  await page.fill("#pasted", '<?xml version="1.0" encoding="windows-1251"?>\n<rss version="2.0"><channel><title>Новости дня</title></channel></rss>');
  await verdict(() => page.click("text=Check what I pasted"));
  assert.equal(await page.textContent("#decided"), "windows-1251");
  assert.match(await page.textContent("#chosen"), /written in windows-1251:/);
  // An encoding that was chosen stays for this document, and not for one with another declaration.
  await page.selectOption("#encoding", "KOI8-R");
  await verdict(() => page.click("text=Check what I pasted"));
  assert.match(await page.textContent("#chosen"), /written in KOI8-R, as you chose:/);
  await page.fill("#pasted", '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Café</title></channel></rss>');
  await verdict(() => page.keyboard.press("Control+Enter"));
  assert.deepEqual([await page.textContent("#decided"), await page.textContent("#title")], ["UTF-8", "Café"]);
  // A text that was edited is checked as it is now, whatever is changed.
  await page.fill("#pasted", '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Neu</title></channel></rss>');
  assert.ok(await page.isVisible("#edited"));
  await verdict(() => page.check("input[name=sent][value=absent]"));
  assert.deepEqual([await page.textContent("#title"), await page.isVisible("#edited")], ["Neu", false]);
  await page.check("#sent-header");
  await page.fill("#pasted", `user@host:~$ curl -v http://example.org/\n< HTTP/1.1 200 OK\n< Content-Type: text/plain\n<\n${FEED}* Connection #0 left intact\nuser@host:~$ `);
  await verdict(() => page.click("text=Check what I pasted"));
  assert.deepEqual([await page.textContent("#decided"), await page.inputValue("#content-type")], ["UTF-8", "text/plain"]);
  assert.ok(!(await texts("#findings code")).includes("not-well-formed"));
  await page.fill("#pasted", "HTTP/1.1 200 OK\nContent-Type: application/atom+xml\n");
  await page.click("text=Check what I pasted");
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("The Content-Type is taken: application/atom+xml"));
  assert.equal(await page.inputValue("#content-type"), "application/atom+xml");
  await page.fill("#pasted", "");
  await page.click("text=Check what I pasted");
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("The field is empty"));
});

test("how it is sent: no header, no HTTP", async () => {
  await drop("feed.xml", FEED);
  assert.notEqual(await verdict(() => page.check("input[name=sent][value=absent]")), "Every reader gets the right text");
  assert.equal(await verdict(() => page.check("input[name=sent][value=file]")), "Every reader gets the right text");
});

test("every example is one click away", async () => {
  for (const button of await page.$$("#examples button")) {
    await verdict(() => button.click());
    assert.equal(await page.isVisible("#decided"), true);
    assert.notEqual(await page.textContent("#title"), "");
  }
});

test("hostile text is text", async () => {
  const hostile = '<rss><channel><title>&lt;img src=x onerror=alert(1)>\u202e\u0007</title><b x="<script>alert(2)</script>"/></channel></rss>';
  await drop("<img src=x onerror=alert(3)>.xml", Buffer.from(hostile.replace("&lt;", "<")));
  await setHeader("<img src=x onerror=alert(4)>");
  assert.equal(await page.$("img"), null);
  assert.equal(await page.$("#report script"), null);
  assert.doesNotMatch(await page.textContent("main"), /[\u202e\u0007]/);
});

// Drops a file of which the bytes come later, or never.
function dropLater(name, bytes, milliseconds, problem = "") {
  return page.evaluate(([name, bytes, milliseconds, problem]) => {
    const file = new File([new Uint8Array(bytes)], name);
    const read = file.arrayBuffer.bind(file);
    file.arrayBuffer = async () => {
      await new Promise((done) => { setTimeout(done, milliseconds); });
      if (problem) throw new Error(problem);
      return read();
    };
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
    document.body.dispatchEvent(event);
  }, [name, [...bytes], milliseconds, problem]);
}

test("of a file that cannot be read the problem is shown, and nothing of the document before", async () => {
  await drop("good.xml", FEED);
  await dropLater("bad\u202e.xml", LEGACY, 0, "gone");
  await page.waitForSelector("#status.problem");
  assert.match(await page.textContent("#status"), /^bad⟨202E⟩\.xml cannot be read: it is a folder, or was moved/);
  assert.equal(await page.isVisible("#report"), false);
  assert.equal(await page.isVisible("#chosen"), false);
  await page.check("input[name=sent][value=file]");
  await new Promise((done) => { setTimeout(done, 500); });
  assert.equal(await page.isVisible("#status.problem"), true);
  assert.equal(await drop("good.xml", FEED), "Every reader gets the right text");
});

test("the header of an example is not that of the next document", async () => {
  await setHeader("application/xml");
  await verdict(() => page.click("#examples button >> nth=1"));
  await drop("feed.xml", FEED);
  assert.equal(await page.inputValue("#content-type"), "application/xml");
  await verdict(() => page.check("input[name=sent][value=file]"));
  await verdict(() => page.click("#examples button >> nth=1"));
  await drop("feed.xml", FEED);
  assert.equal(await page.isChecked("input[name=sent][value=file]"), true);
  await setHeader("application/rss+xml");
  await verdict(() => page.click("#examples button >> nth=1"));
  await dropLater("slow.xml", FEED, 600);
  await page.check("input[name=sent][value=file]");
  await page.waitForFunction(() => document.getElementById("chosen").textContent.startsWith("slow.xml"));
  assert.equal(await page.isChecked("input[name=sent][value=file]"), true);
  await setHeader("application/rss+xml");
});

test("a printed report is whole, in one column", async () => {
  await drop("legacy.xml", LEGACY);
  await page.emulateMedia({ media: "print" });
  const [wide, cut] = await page.evaluate(() => [
    document.getElementById("report").offsetWidth / document.body.offsetWidth,
    [...document.querySelectorAll("pre")].filter((one) => one.scrollHeight > one.clientHeight + 2).map((one) => one.id)]);
  await page.emulateMedia({ media: null });
  assert.ok(wide > 0.8, `${wide}`);
  assert.deepEqual(cut, []);
});

test("of two documents the one is shown that was chosen last", async () => {
  await dropLater("slow.xml", LEGACY, 400);
  await drop("quick.xml", FEED);
  await new Promise((done) => { setTimeout(done, 900); });
  assert.match(await page.textContent("#chosen"), /^quick\.xml, /);
  assert.equal(await page.textContent("#title"), "Žižkov ☃");
});

test("a problem of the last document is not replaced by an older answer", async () => {
  const large = Buffer.from(`<rss><title>${"é".repeat(2_000_000)}</title></rss>`);
  await dropLater("large.xml", large, 0);
  await dropLater("bad.xml", FEED, 50, "gone");
  await page.waitForSelector("#status.problem");
  await new Promise((done) => { setTimeout(done, 3000); });
  assert.match(await page.textContent("#status"), /^bad\.xml cannot be read/);
  await drop("good.xml", FEED);
  await dropLater("bad.xml", FEED, 200, "gone again");
  await page.fill("#content-type", "text/xml");
  await page.waitForSelector("#status.problem");
  await new Promise((done) => { setTimeout(done, 900); });
  assert.match(await page.textContent("#status"), /^bad\.xml cannot be read/);
  await page.fill("#content-type", "application/rss+xml");
  await drop("good.xml", FEED);
});

test("a copy has the name of its document, whatever is chosen meanwhile", async () => {
  await drop("mine.xml", LEGACY);
  const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(() => {
    document.getElementById("download").click();
    document.querySelector("#examples button").click();
  })]);
  assert.equal(download.suggestedFilename(), "mine.utf8.xml");
  assert.match(readFileSync(await download.path(), "utf8"), /café/);
  await page.waitForFunction(() => document.getElementById("status").hidden
    && !document.getElementById("chosen").textContent.startsWith("mine.xml"));
});

test("gzip is shown, and repaired, as what it holds", async () => {
  await drop("feed.xml.gz", gzipSync(FEED));
  assert.equal(await page.textContent("#decided"), "UTF-8");
  assert.equal(await page.textContent("#title"), "Žižkov ☃");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  assert.equal(download.suggestedFilename(), "feed.utf8.xml");
  assert.deepEqual(readFileSync(await download.path()), FEED);
});

test("what is no XML, and an empty file", async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("%PDF-1.7"), Buffer.from("<!DOCTYPE html><p>a")]) {
    assert.equal(await drop("feed", bytes), "This is not an XML document");
  }
});

test("the policy refuses every other server, in the worker, too", async () => {
  const other = "http://127.0.0.1:9/";
  const refused = await page.evaluate(async (other) => {
    const script = `try { await fetch(${JSON.stringify(other)}); postMessage("sent"); } catch (error) { postMessage(error.name); }
      self.onsecuritypolicyviolation = null;`;
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
    const violated = new Promise((done) => document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true }));
    const inWorker = await new Promise((done) => { worker.onmessage = (event) => done(event.data); });
    await fetch(other).catch(() => {});
    return [inWorker, await violated];
  }, other);
  assert.deepEqual(refused, ["TypeError", "connect-src"]);
  assert.deepEqual(foreign, []);
});

// The words of the parser that judged the markup, and its column, are not compared: natively it is lxml.
function comparable(report) {
  for (const finding of report.findings) {
    if (finding.code !== "not-well-formed") continue;
    for (const key of Object.keys(finding)) if (!["code", "severity", "line"].includes(key)) finding[key] = null;
    report.letter = "";
  }
  return report;
}

test("every fixture has the report that the library gives natively", { timeout: 300_000 }, async () => {
  const printed = execFileSync(process.env.PYTHON ?? "../.venv/bin/python", [join(import.meta.dirname, "native_reports.py")],
    { maxBuffer: 1 << 29, encoding: "utf8" });
  const rows = printed.trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(rows.length > 1900);
  for (let at = 0; at < rows.length; at += 100) {
    const some = rows.slice(at, at + 100);
    const reports = await page.evaluate(async (some) => {
      const { call } = await import("./checker.js");
      return Promise.all(some.map(([, body, contentType]) =>
        call("check", { body: Uint8Array.from(atob(body), (character) => character.charCodeAt(0)), contentType })));
    }, some);
    some.forEach(([name, , , native], index) => {
      // A limit of libxml2; the browser has expat, whose limits are others.
      if (native.findings.some((one) => one.code === "parser-limit")) return;
      assert.deepEqual(comparable(reports[index]), comparable(native), name);
    });
  }
});

test("a part that does not arrive, or not whole, is told", { timeout: 120_000 }, async () => {
  const parts = [["pyodide/pyodide.asm.wasm", "missing"], ["pyodide/pyodide.asm.wasm", "cut"], ["pyodide/pyodide.asm.wasm", "another"], ["python.snapshot", "missing"], ["worker.js", "missing"], ["examples.json", "missing"]];
  for (const [path, how] of parts) {
    const other = await serve(PAGE, path, how);
    const tab = await context.newPage();
    await tab.goto(other.url);
    await tab.waitForSelector("#status.problem", { timeout: 30_000 });
    assert.doesNotMatch(await tab.textContent("#status"), /Loading|JSON/, path);
    await tab.close();
    await other.stop();
  }
});

test("files of two versions are not kept together", async () => {
  const folder = join(profile, "two-versions");
  cpSync(PAGE, folder, { recursive: true });
  appendFileSync(join(folder, "style.css"), "/* another version */");
  const other = await serve(folder);
  const tab = await context.newPage();
  await tab.goto(other.url);
  await tab.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });
  const refused = await tab.evaluate(() => navigator.serviceWorker.register("service-worker.js").then(async (one) => {
    const worker = one.installing ?? one.waiting ?? one.active;
    while (worker && !["activated", "redundant"].includes(worker.state)) await new Promise((done) => { setTimeout(done, 20); });
    return [worker?.state ?? "redundant", await caches.keys()];
  }));
  assert.deepEqual(refused, ["redundant", []]);
  await tab.close();
  await other.stop();
});

test("it is usable by keyboard and on a phone", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await drop("feed.xml", FEED);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.ok(await page.evaluate(() => document.getElementById("verdict").getBoundingClientRect().top) < 100);
  await page.focus("#file");
  const seen = new Set();
  for (let press = 0; press < 40; press += 1) {
    seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent.slice(0, 20)));
    await page.keyboard.press("Tab");
  }
  for (const id of ["file", "content-type", "download", "copy-header"]) assert.ok(seen.has(id), id);
  const unnamed = await page.$$eval("input, textarea, select, button", (found) => found
    .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).map((one) => one.outerHTML));
  assert.deepEqual(unnamed, []);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("it works without a network once it was loaded", async () => {
  await page.waitForSelector("html[data-offline=yes]", { timeout: 60_000 });
  const url = server.url;
  await server.stop();
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });
  assert.equal(await verdict(() => page.click("#examples button")), "Every reader gets the right text");
});
