// What is shown of a report: the verdict, the decision, the findings, the readings, the steps.

import { count, element, place, sentence, visible } from "./text.js";

const $ = (id) => document.getElementById(id);

const SEVERITIES = ["error", "warning", "info"];
const TONES = { error: "bad", warning: "warn", info: "info" };

// Shows a report. `actions` has what its buttons do: try(header), download().
export function show(report, fixed, clean, actions) {
  showVerdict(report);
  $("decision-card").hidden = !report.is_document;
  $("decided").textContent = report.encoding;
  $("why").textContent = sentence(report.why);
  $("feed-title-line").hidden = !report.title;
  $("title").textContent = visible(report.title);
  const findings = report.findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  $("findings-card").hidden = findings.length === 0;
  $("findings-title").textContent = report.errors + report.warnings ? "What to change" : "What could be better";
  $("findings").replaceChildren(...findingItems(findings, actions));
  $("letter-card").hidden = !report.letter;
  $("letter").textContent = visible(report.letter);
  $("explained").textContent = visible(report.explained);
  $("readings-card").hidden = report.readings.length === 0;
  $("readings").replaceChildren(...report.readings.map(readingItem));
  $("repaired-card").hidden = !report.is_document;
  if (report.is_document) {
    $("repaired-header").textContent = `Content-Type: ${fixed}`;
    const repaired = report.changed ? ` Replaced, or read otherwise than the rest: ${count(report.changed, "place")} of the text. Compare with the original.` : "";
    $("repaired-state").textContent = (clean ? "Checked: nothing is left to change." : "Checked: something is left to change in the copy.") + repaired;
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
  else if (warnings) [tone, title, text] = ["warn", wrong ? "Readers disagree about this feed" : "Something should be changed", `${counts}. What to change is below.`];
  $("verdict").className = `verdict ${tone}`;
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
  $("verdict-link").hidden = false;
  $("verdict-link").className = tone;
  $("verdict-link").textContent = `${title} ↓`;
}

const SHOWN = 2; // findings of one kind that are open at once

function findingItems(findings, actions) {
  const kinds = Map.groupBy(findings, (finding) => finding.code);
  return [...kinds].flatMap(([code, all]) => {
    const items = all.map((finding) => findingItem(finding, actions));
    if (all.length <= SHOWN + 1) return items;
    const more = element("ol", { className: "findings" }, ...items.slice(SHOWN));
    const summary = element("summary", { textContent: `${all.length - SHOWN} more places: ${code}` });
    return [...items.slice(0, SHOWN), element("li", { className: "more" }, element("details", {}, summary, more))];
  });
}

function findingItem(finding, actions) {
  const item = element("li", { className: TONES[finding.severity] },
    element("p", { className: "what" },
      element("span", { className: "badge", textContent: finding.severity }),
      element("code", { textContent: finding.code }),
      element("span", { className: "where", textContent: place(finding) })),
    element("p", { textContent: sentence(visible(finding.message)) }));
  if (finding.excerpt) item.append(excerpt(finding.excerpt, finding.caret));
  if (finding.bytes) item.append(bytesLine(finding.bytes));
  if (finding.fix) item.append(fixLine(finding.fix, actions));
  if (finding.spec) item.append(element("p", { className: "spec", textContent: finding.spec }));
  return item;
}

// The bytes of a finding, marked, with some before and after them.
function bytesLine({ start, parts }) {
  const [before, found, after] = parts;
  return element("pre", { className: "bytes", ariaLabel: "bytes in hexadecimal" },
    element("span", { className: "where", textContent: `byte ${start.toLocaleString("en")}  ` }),
    before && `${before} `, element("mark", { textContent: found }), after && ` ${after}`);
}

function fixLine(fix, actions) {
  if (fix.startsWith("convert to UTF-8")) return element("p", { className: "fix" },
    element("span", { textContent: sentence(visible(fix)) }),
    element("button", { type: "button", className: "small", textContent: "Download as UTF-8", onclick: actions.download }));
  const line = element("p", { className: "fix" }, element("span", { textContent: fixLabel(fix) }),
    element("code", { textContent: visible(fix) }), copyButton(() => fix, `Copy ${visible(fix)}`));
  const sent = /^Content-Type:\s*(.+)$/.exec(fix);
  if (sent) line.append(element("button", { type: "button", className: "small", textContent: "Try this header", onclick: () => actions.try(sent[1]) }));
  return line;
}

function fixLabel(fix) {
  if (/^Content-(Type|Encoding):/.test(fix)) return "Send:";
  if (fix.startsWith("<?xml")) return "Begin with:";
  return fix.length <= 8 ? "Write instead:" : "Change:";
}

export function copyButton(text, label) {
  const button = element("button", { type: "button", className: "small", textContent: "Copy", ariaLabel: label });
  button.hidden = !navigator.clipboard; // on plain http there is none
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
  if (["refuses", "differs"].includes(reading.outcome) && reading.why) item.append(element("p", { textContent: sentence(visible(reading.why)) }));
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
