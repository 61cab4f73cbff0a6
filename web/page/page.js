// The page: takes a document and how it is sent, asks the worker, shows what it answers. Whatever comes from the
// document is set as text, never as markup.

const MAX_BYTES = 50 * 1024 * 1024; // what a browser's memory holds several times over
const DELAY = 250; // milliseconds after the last key before a changed header is checked

const $ = (id) => document.getElementById(id);

// -- the worker -------------------------------------------------------------------------------------------

// A worker of a blob inherits the policy of this page; one of a URL would have its own.
const script = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
const waiting = new Map();
let lastId = 0;

worker.onmessage = ({ data: { id, result, problem } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (problem === undefined) resolve(result);
  else reject(new Error(problem));
};
worker.onerror = (event) => {
  event.preventDefault();
  tell(`The checker cannot be loaded. ${event.message ?? ""}`, true);
};

function call(name, parameters = {}) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call: name, ...parameters });
  });
}

// -- the document -----------------------------------------------------------------------------------------

let body = null; // the bytes that are checked
let name = "feed.xml"; // for the download
let timer; // of a header that is being typed
let newest = 0; // the number of the last check: an older answer is not shown

async function take(source, label, contentType) {
  $("status").classList.remove("problem");
  body = source;
  name = label;
  $("chosen").hidden = false;
  $("chosen").textContent = `${label}, ${size(source.length)}`;
  if (contentType !== undefined) setHeader(contentType);
  await check();
  $("verdict").scrollIntoView({ block: "nearest" });
}

async function takeFile(file) {
  if (file.size > MAX_BYTES) {
    tell(`${file.name} has ${size(file.size)}. This page reads up to ${size(MAX_BYTES)}; the command line has no limit.`, true);
    return;
  }
  tell(`Reading ${file.name}…`);
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
    show(report, fixed, clean);
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

// -- what is shown ----------------------------------------------------------------------------------------

function tell(text, problem = false) {
  $("status").hidden = false;
  $("status").textContent = text;
  $("status").classList.toggle("problem", problem);
  if (problem) $("report").hidden = true;
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

const SEVERITIES = ["error", "warning", "info"];
const TONES = { error: "bad", warning: "warn", info: "info" };

function show(report, fixed, clean) {
  showVerdict(report);
  $("decision-card").hidden = !report.is_document;
  $("decided").textContent = report.encoding;
  $("why").textContent = sentence(report.why);
  $("feed-title-line").hidden = !report.title;
  $("title").textContent = visible(report.title);
  const findings = report.findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  $("findings-card").hidden = findings.length === 0;
  $("findings-title").textContent = report.errors + report.warnings ? "What to change" : "What could be better";
  $("findings").replaceChildren(...findingItems(findings));
  $("readings-card").hidden = report.readings.length === 0;
  $("readings").replaceChildren(...report.readings.map(readingItem));
  $("repaired-card").hidden = !report.is_document;
  if (report.is_document) {
    $("repaired-header").textContent = `Content-Type: ${fixed}`;
    $("repaired-state").textContent = clean ? "Checked: nothing is left to change." : "Checked: something is left; see the copy’s own findings.";
  }
  $("rule").textContent = report.rule;
  $("steps").replaceChildren(...report.steps.map(stepItem));
  $("facts").replaceChildren(...report.facts.flatMap(([label, value]) => [
    element("dt", { textContent: label }), element("dd", { textContent: visible(value) })]));
  $("text").textContent = visible(report.text);
  $("text-more").textContent = report.more ? `${report.more.toLocaleString("en")} more characters.` : "";
}

function showVerdict({ errors, warnings, is_document, readings }) {
  const wrong = readings.filter((reading) => reading.outcome !== "same").length;
  const counts = [count(errors, "error"), count(warnings, "warning")].filter(Boolean).join(", ");
  let tone = "good", title = "Every reader gets the right text", text = "Nothing has to be changed.";
  if (!is_document) [tone, title, text] = ["bad", "This is not an XML document", `${counts}. What was found is below.`];
  else if (errors) [tone, title, text] = ["bad", wrong ? "Some readers do not get the right text" : "Something is wrong", `${counts}. What to change is below.`];
  else if (warnings) [tone, title, text] = ["warn", "Readers may disagree about this feed", `${counts}. What to change is below.`];
  $("verdict").className = `verdict ${tone}`;
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
  $("verdict-link").hidden = false;
  $("verdict-link").className = tone;
  $("verdict-link").textContent = `${title} ↓`;
}

const SHOWN = 2; // findings of one kind that are open at once

function findingItems(findings) {
  const kinds = Map.groupBy(findings, (finding) => finding.code);
  return [...kinds].flatMap(([code, all]) => {
    const items = all.map(findingItem);
    if (all.length <= SHOWN + 1) return items;
    const more = element("ol", { className: "findings" }, ...items.slice(SHOWN));
    const summary = element("summary", { textContent: `${all.length - SHOWN} more places: ${code}` });
    return [...items.slice(0, SHOWN), element("li", { className: "more" }, element("details", {}, summary, more))];
  });
}

function findingItem(finding) {
  const item = element("li", { className: TONES[finding.severity] },
    element("p", { className: "what" },
      element("span", { className: "badge", textContent: finding.severity }),
      element("code", { textContent: finding.code }),
      element("span", { className: "where", textContent: place(finding) })),
    element("p", { textContent: sentence(visible(finding.message)) }));
  if (finding.excerpt) item.append(excerpt(finding.excerpt, finding.caret));
  if (finding.fix) item.append(fixLine(finding.fix));
  if (finding.spec) item.append(element("p", { className: "spec", textContent: finding.spec }));
  return item;
}

function fixLine(fix) {
  if (fix.startsWith("convert to UTF-8")) return element("p", { className: "fix" },
    element("span", { textContent: sentence(visible(fix)) }),
    element("button", { type: "button", className: "small", textContent: "Download as UTF-8", onclick: download }));
  const line = element("p", { className: "fix" }, element("span", { textContent: fixLabel(fix) }),
    element("code", { textContent: visible(fix) }), copyButton(() => fix));
  const sent = /^Content-Type:\s*(.+)$/.exec(fix);
  if (sent) line.append(element("button", { type: "button", className: "small", textContent: "Try this header", onclick: () => {
    setHeader(sent[1]);
    check();
    $("verdict").scrollIntoView({ block: "nearest" });
  } }));
  return line;
}

function fixLabel(fix) {
  if (/^Content-(Type|Encoding):/.test(fix)) return "Send:";
  if (fix.startsWith("<?xml")) return "Begin with:";
  return fix.length <= 8 ? "Write instead:" : "Change:";
}

function copyButton(text) {
  const button = element("button", { type: "button", className: "small", textContent: "Copy" });
  button.onclick = async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
  return button;
}

const OUTCOMES = {
  same: ["good", "right text"], differs: ["bad", "wrong text"], stops: ["bad", "stops"], refuses: ["bad", "refuses"],
};

function readingItem(reading) {
  const [tone, word] = OUTCOMES[reading.outcome] ?? ["info", reading.outcome];
  const item = element("li", { className: tone },
    element("p", { className: "what" },
      element("strong", { textContent: reading.title }),
      element("span", { className: "badge", textContent: word }),
      element("span", { className: "where", textContent: reading.encoding ? `reads ${visible(reading.encoding)}, rule ${reading.rule}` : `rule ${reading.rule}` })),
    element("p", { className: "about", textContent: reading.about }));
  if (reading.outcome === "refuses") item.append(element("p", { textContent: sentence(visible(reading.why)) }));
  if (reading.outcome === "stops") item.append(element("p", { textContent: `It stops at ${place(reading)}: what follows is lost.` }));
  if (reading.excerpt) item.append(
    element("p", { textContent: `From ${place(reading)} it shows:` }), excerpt(reading.excerpt, reading.caret));
  return item;
}

function stepItem(step) {
  return element("li", {},
    element("p", { className: "what" },
      element("code", { textContent: step.id }),
      element("strong", { textContent: step.encoding ? `${step.verdict}: ${visible(step.encoding)}` : step.verdict })),
    element("p", { textContent: sentence(visible(step.why)) }),
    step.spec ? element("p", { className: "spec", textContent: step.spec }) : null);
}

function excerpt(text, caret) {
  const margin = Math.min(caret, /^ */.exec(text)[0].length);
  const at = Array.from(text).slice(margin); // the offsets count characters, not UTF-16 units
  caret -= margin;
  return element("pre", { className: "excerpt" },
    visible(at.slice(0, caret).join("")),
    element("mark", { textContent: visible(at[caret] ?? "") || " " }),
    visible(at.slice(caret + 1).join("")));
}

function place({ offset, line, column, count: times }) {
  const parts = [];
  if (line !== null && line !== undefined) parts.push(`line ${line}, column ${column}`);
  else if (offset !== null && offset !== undefined) parts.push(`byte ${offset}`);
  if (times > 1) parts.push(`${times} times`);
  return parts.join(", ");
}

// Controls and the characters that change the direction of text are shown as their numbers.
function visible(text) {
  return String(text ?? "").replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
    "\n\t".includes(character) ? character : character === "\r" ? "" : `⟨${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

function sentence(text) {
  const first = text.replace(/^[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase()); // not of "text/xml"
  return !first || /[.!?]$/.test(first) ? first : `${first}.`;
}

const count = (number, noun) => (number ? `${number} ${noun}${number === 1 ? "" : "s"}` : "");

function size(number) {
  if (number < 1000) return count(number, "byte") || "0 bytes";
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)} kB` : `${(number / 1_000_000).toFixed(1)} MB`;
}

// -- what a person does -----------------------------------------------------------------------------------

function checkSoon() {
  clearTimeout(timer);
  timer = setTimeout(check, DELAY);
}

$("file").onchange = () => { if ($("file").files.length) takeFile($("file").files[0]); };
$("form").onsubmit = (event) => { event.preventDefault(); takePaste(); };
$("content-type").oninput = () => { $("sent-header").checked = true; checkSoon(); };
$("content-type").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); check(); } };
document.querySelectorAll("input[name=sent]").forEach((radio) => { radio.onchange = check; });
document.querySelectorAll("input[name=form]").forEach((radio) => {
  radio.onchange = () => { $("encoding").disabled = radio.value === "hex" && radio.checked; };
});
$("download").onclick = download;
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
  tell("Loading the checker: about 14 MB, once…");
  const list = await (await fetch("examples.json")).json();
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
