// Text and elements. Text of a document is set as text, never as markup.

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

// "line 3, column 5, 2 times"
export function place({ offset, line, column, count: times }) {
  const parts = [];
  if (line !== null && line !== undefined) parts.push(`line ${line}, column ${column}`);
  else if (offset !== null && offset !== undefined) parts.push(`byte ${offset}`);
  if (times > 1) parts.push(`${times} times`);
  return parts.join(", ");
}

// Shows controls, and characters that change the direction of text, as their numbers.
export function visible(text) {
  return String(text ?? "").replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
    "\n\t".includes(character) ? character : character === "\r" ? "" : `⟨${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

// A message as a sentence: a capital and a full stop.
export function sentence(text) {
  const first = text.replace(/^[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase()); // not of "text/xml"
  return !first || /[.!?]$/.test(first) ? first : `${first}.`;
}

export const count = (number, noun) => (number ? `${number} ${noun}${number === 1 ? "" : "s"}` : "");

export function size(number) {
  if (number < 1000) return count(number, "byte") || "0 bytes";
  return number < 1_000_000 ? `${(number / 1000).toFixed(1)} kB` : `${(number / 1_000_000).toFixed(1)} MB`;
}
