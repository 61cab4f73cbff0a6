// The page: reads a document and how it is sent, has it checked, and shows the report.

import { call, onFailure } from "./checker.js";
import { copyButton, show } from "./report-view.js";
import { element, size, visible } from "./text.js";

const MAX_BYTES = 50_000_000; // what a browser's memory holds several times over
const DELAY = 250; // milliseconds after the last key before a changed header is checked

const $ = (id) => document.getElementById(id);

// -- the document -----------------------------------------------------------------------------------------

let body = null; // the bytes that are checked
let name = "feed.xml"; // for the download
let timer; // of a header that is being typed
let newest = 0; // the number of the last check: an older answer is not shown
let mine; // the header that the person has named, not one that came with a document; undefined: none yet
let given = false; // the document came with its own header, and no other one is being read
let pasted = null; // the text in the field for it that the document was made of; null: it is a file or an example
let chosenFor = null; // the declaration of the text for which an encoding was chosen by hand
let choices = 0; // the number of the last document that was chosen: an older one that comes later is passed over

// Reads the document that was just chosen, and checks it. `read` gives its bytes, and the header that came with it;
// undefined: that of the person. The one before stays until it is read, or cannot be read.
async function take(label, read, text = null) {
  const choice = ++choices;
  given = false; // what is named meanwhile is for this document
  passOver();
  $("status").classList.remove("problem");
  try {
    const [document, contentType, type, written] = await read();
    if (choice !== choices) return;
    if (written && contentType && !document.length) { // what `curl -I` prints
      setHeader(mine = contentType);
      throw new Error(`The Content-Type is taken: ${visible(contentType)}. Now paste or choose the document.`);
    }
    body = document;
    name = label;
    pasted = text;
    $("edited").hidden = true;
    hideReport(); // it is that of the document before
    $("chosen").hidden = false;
    $("chosen").textContent = `${visible(label)}, ${size(body.length)}`
      + (written ? `, text that this page has written in ${written}${chosenFor === null ? "" : ", as you chose"}: `
        + "a file or a dump shows the bytes that are really there" : "");
    given = contentType !== undefined;
    setHeader(given ? contentType : mine === undefined ? type : mine);
  } catch (error) {
    if (choice !== choices) return;
    body = null; // else a header that is typed now would show the one before
    $("chosen").hidden = true;
    passOver(); // a header was typed meanwhile
    tell(error.message, true);
    return;
  }
  await check();
  if (choice === choices) reveal("verdict");
}

// No answer about the document before is shown over a problem of this one.
function passOver() {
  newest += 1;
  clearTimeout(timer);
}

function takeFile(file) {
  return take(file.name, async () => {
    if (file.size > MAX_BYTES) {
      throw new Error(`${visible(file.name)} is too long: this page reads up to ${size(MAX_BYTES)}; the command line has no limit.`);
    }
    tell(`Reading ${visible(file.name)}…`);
    const bytes = await file.arrayBuffer().catch(() => {
      throw new Error(`${visible(file.name)} cannot be read: it is a folder, or was moved, changed or deleted.`);
    });
    const [document, contentType, ...rest] = await call("file", { data: new Uint8Array(bytes) });
    return [document, contentType ?? undefined, ...rest];
  });
}

function takePaste() {
  const text = $("pasted").value, form = new FormData($("form")).get("form");
  // An encoding that was chosen is for the document that it was chosen for: not for one with another declaration.
  const declaration = text.match(/<\?xml[^>]{0,300}>/)?.[0] ?? "";
  if (chosenFor !== null && chosenFor !== declaration) $("encoding").selectedIndex = 0;
  chosenFor = form === "text" && $("encoding").selectedIndex > 0 ? declaration : null;
  const encoding = $("encoding").value;
  return take("pasted.xml", async () => {
    if (!text.trim()) throw new Error("The field is empty: paste a document, a response or hexadecimal digits.");
    const [document, contentType, ...rest] = await call("paste", { text, form, encoding });
    return [document, contentType ?? undefined, ...rest];
  }, text);
}

const isEdited = () => pasted !== null && $("pasted").value !== pasted && $("pasted").value.trim() !== "";

// The document with another header: with the text as it is now, if the field was edited.
const checkAgain = () => isEdited() && !given ? takePaste() : check();

function takeExample(example) {
  return take(example.file, async () => {
    const response = await fetched(`examples/${example.file}`);
    return [new Uint8Array(await response.arrayBuffer()), example.content_type];
  });
}

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: the server answered ${response.status}`);
  return response;
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
  try {
    const report = await call("check", { body, contentType });
    const [, fixed, clean] = report.is_document ? await call("repair", { body, contentType }) : [];
    if (number !== newest) return;
    show(report, fixed, clean, ACTIONS);
    $("status").hidden = true;
    $("report").hidden = false;
    $("about").hidden = true;
    document.documentElement.dataset.shown = number;
  } catch (error) {
    if (number === newest) tell(error.message, true);
  }
}

async function download() {
  const file = name.replace(/\.gz$/i, "").replace(/(\.\w{1,8})?$/, ".utf8$1"); // of the document that is shown now
  await attempt(async () => {
    const [data] = await call("repair", { body, contentType: header() });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data], { type: "application/octet-stream" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
}

const ACTIONS = {
  download,
  try(value) {
    setHeader(value);
    if (!given) mine = value;
    check();
    $("verdict-title").focus(); // the button that had the focus goes
    reveal("verdict");
  },
};

// The line above the report: progress, or a problem, which hides the report.
function tell(text, problem = false) {
  $("status").hidden = false;
  $("status").textContent = text;
  $("status").classList.toggle("problem", problem);
  if (problem) hideReport();
  if (problem) reveal("status");
}

function hideReport() {
  $("report").hidden = true;
  $("verdict-link").hidden = true;
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
  timer = setTimeout(checkAgain, DELAY);
}

$("file").onchange = async () => {
  if ($("file").files.length) await takeFile($("file").files[0]);
  $("file").value = ""; // so that the same file, changed, can be chosen again
};
$("encoding").onchange = () => { chosenFor = null; };
$("pasted").oninput = () => { $("edited").hidden = !isEdited(); };
$("pasted").onkeydown = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) takePaste(); };
$("form").onsubmit = (event) => { event.preventDefault(); takePaste(); };
$("content-type").oninput = () => {
  const field = $("content-type"), line = /^\s*(?:<\s*)?content-type\s*:\s*/i;
  if (line.test(field.value)) field.value = field.value.replace(line, ""); // the whole line was pasted
  $("sent-header").checked = true;
  mine = header();
  checkSoon();
};
// Enter would submit what stands in the field for pasted text.
document.querySelectorAll(".sent input").forEach((input) => {
  input.onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); checkAgain(); } };
});
document.querySelectorAll("input[name=sent]").forEach((radio) => { radio.onchange = () => { if (!given) mine = header(); checkAgain(); }; });
document.querySelectorAll("input[name=form]").forEach((radio) => {
  radio.onchange = () => { $("encoding").disabled = radio.value === "hex" && radio.checked; };
});
$("download").onclick = download;
$("copy-letter").replaceWith(Object.assign(copyButton(() => $("letter").textContent, "Copy the text for the publisher"), { id: "copy-letter" }));
$("copy-header").replaceWith(Object.assign(copyButton(() => $("repaired-header").textContent, "Copy the header"), { id: "copy-header" }));

let inside = 0; // a drag enters and leaves every element on its way
const isText = (event) => event.target === $("pasted") && !event.dataTransfer.types.includes("Files");
document.ondragenter = () => { inside += 1; document.body.classList.add("over"); };
document.ondragleave = () => { inside -= 1; if (!inside) document.body.classList.remove("over"); };
document.ondragover = (event) => { if (!isText(event)) event.preventDefault(); };
document.ondrop = (event) => {
  inside = 0;
  document.body.classList.remove("over");
  if (isText(event)) return; // the field takes it
  event.preventDefault();
  const { files } = event.dataTransfer;
  if (files.length === 1) takeFile(files[0]);
  else tell(files.length ? "Drop one file at a time." : "Drop a file; text can be pasted.");
};

async function start() {
  const [list, { size: total }] = await Promise.all(["examples.json", "files.json"].map(async (file) => (await fetched(file)).json()));
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
