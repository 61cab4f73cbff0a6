// The page: reads a document and how it is sent, has it checked, and shows the report.

import { call, onFailure } from "./checker.js";
import { copyButton, show } from "./report-view.js";
import { element, size } from "./text.js";

const MAX_BYTES = 50 * 1024 * 1024; // what a browser's memory holds several times over
const DELAY = 250; // milliseconds after the last key before a changed header is checked

const $ = (id) => document.getElementById(id);

// -- the document -----------------------------------------------------------------------------------------

let body = null; // the bytes that are checked
let name = "feed.xml"; // for the download
let timer; // of a header that is being typed
let newest = 0; // the number of the last check: an older answer is not shown

// Checks a document. `contentType`: the header that came with it; undefined: keep the one in the form.
async function take(source, label, contentType) {
  $("status").classList.remove("problem");
  body = source;
  name = label;
  chosen(label, source.length);
  if (contentType !== undefined) setHeader(contentType);
  await check();
  reveal("verdict");
}

function chosen(label, length) {
  $("chosen").hidden = false;
  $("chosen").textContent = `${label}, ${size(length)}`;
}

async function takeFile(file) {
  if (file.size > MAX_BYTES) {
    tell(`${file.name} has ${size(file.size)}. This page reads up to ${size(MAX_BYTES)}; the command line has no limit.`, true);
    return;
  }
  tell(`Reading ${file.name}…`);
  chosen(file.name, file.size);
  await attempt(async () => {
    const data = new Uint8Array(await file.arrayBuffer());
    const [document, contentType] = await call("file", { data });
    await take(document, file.name, contentType ?? undefined);
  });
}

async function takePaste() {
  await attempt(async () => {
    const form = new FormData($("form")).get("form");
    const [document, contentType] = await call("paste", { text: $("pasted").value, form, encoding: $("encoding").value });
    await take(document, "pasted.xml", contentType ?? undefined);
  });
}

async function takeExample(example) {
  await attempt(async () => {
    const response = await fetch(`examples/${example.file}`);
    await take(new Uint8Array(await response.arrayBuffer()), example.file, example.content_type);
  });
}

// Shows the message of an error that the work throws.
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    tell(error.message, true);
  }
}

// null: not over HTTP; "": HTTP without the header.
function header() {
  const sent = new FormData($("form")).get("sent");
  if (sent === "file") return null;
  return sent === "absent" ? "" : $("content-type").value.trim();
}

function setHeader(value) {
  const sent = value === null ? "file" : value === "" ? "absent" : "header";
  document.querySelector(`input[name=sent][value=${sent}]`).checked = true;
  if (value) $("content-type").value = value;
}

async function check() {
  clearTimeout(timer);
  if (body === null) return;
  const number = ++newest;
  const contentType = header();
  tell("Checking…");
  await attempt(async () => {
    const report = await call("check", { body, contentType });
    const [, fixed, clean] = report.is_document ? await call("repair", { body, contentType }) : [];
    if (number !== newest) return;
    show(report, fixed, clean, ACTIONS);
    $("status").hidden = true;
    $("report").hidden = false;
    $("about").hidden = true;
    document.documentElement.dataset.shown = number;
  });
}

async function download() {
  await attempt(async () => {
    const [data] = await call("repair", { body, contentType: header() });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data], { type: "application/octet-stream" }));
    link.download = name.replace(/(\.\w{1,8})?$/, ".utf8$1");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}

const ACTIONS = {
  download,
  try(value) {
    setHeader(value);
    check();
    reveal("verdict");
  },
};

// The line above the report: progress, or a problem, which hides the report.
function tell(text, problem = false) {
  $("status").hidden = false;
  $("status").textContent = text;
  $("status").classList.toggle("problem", problem);
  if (problem) $("report").hidden = true;
  if (problem) reveal("status");
}

// Where the report stands below the form, on a phone, its verdict becomes the top of the screen.
function reveal(id) {
  const below = $("result").offsetTop >= $("form").offsetTop + $("form").offsetHeight;
  if (!$(id).checkVisibility()) return;
  $(id).scrollIntoView({ block: below ? "start" : "nearest" });
}

// -- events -----------------------------------------------------------------------------------------------

onFailure((message) => tell(message, true));

function checkSoon() {
  clearTimeout(timer);
  timer = setTimeout(check, DELAY);
}

$("file").onchange = async () => {
  if ($("file").files.length) await takeFile($("file").files[0]);
  $("file").value = ""; // so that the same file, changed, can be chosen again
};
$("form").onsubmit = (event) => { event.preventDefault(); takePaste(); };
$("content-type").oninput = () => { $("sent-header").checked = true; checkSoon(); };
$("content-type").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); check(); } };
document.querySelectorAll("input[name=sent]").forEach((radio) => { radio.onchange = check; });
document.querySelectorAll("input[name=form]").forEach((radio) => {
  radio.onchange = () => { $("encoding").disabled = radio.value === "hex" && radio.checked; };
});
$("download").onclick = download;
$("copy-letter").replaceWith(Object.assign(copyButton(() => $("letter").textContent), { id: "copy-letter" }));
$("copy-header").replaceWith(Object.assign(copyButton(() => $("repaired-header").textContent), { id: "copy-header" }));

let inside = 0; // a drag enters and leaves every element on its way
document.ondragenter = () => { inside += 1; document.body.classList.add("over"); };
document.ondragleave = () => { inside -= 1; if (!inside) document.body.classList.remove("over"); };
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  inside = 0;
  document.body.classList.remove("over");
  const file = event.dataTransfer.files[0];
  if (file) takeFile(file);
};

async function start() {
  const [list, { size: total }] = await Promise.all(["examples.json", "files.json"].map(async (file) => (await fetch(file)).json()));
  tell(`Loading the checker, ${size(total)}, once. You can choose a file now: it is checked as soon as that is done.`);
  $("encoding").append(...list.encodings.map((encoding) => element("option", { textContent: encoding })));
  $("examples").append(...list.examples.map((example) => element("li", {},
    element("button", { type: "button", onclick: () => takeExample(example) }, example.title,
      element("small", { textContent: example.about })))));
  const version = await call("version");
  $("version").textContent = version;
  if (body === null && !$("status").classList.contains("problem")) $("status").hidden = true;
  document.documentElement.dataset.ready = "yes";
}

async function keepForOffline() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("service-worker.js");
  await navigator.serviceWorker.ready;
  $("offline").textContent = "This page is kept in your browser: it works without a network.";
  document.documentElement.dataset.offline = "yes";
}

attempt(start).then(keepForOffline).catch(() => {});
