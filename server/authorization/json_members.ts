const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Source texts of the members of a JSON object that have a certain name, found without building the document: JSON.parse
 * of 256 KiB of distinct names blocks the event loop for 40 ms, this scan for two.
 * text: a JSON object; only the members found, once parsed, are known to be valid. isWanted: tells by the name.
 * Result: in the order of the text, repeated names included; empty if the text is no object or its brackets do not match.
 * Throws SyntaxError for a name with a broken escape.
 */
export function jsonMembers(text: string, isWanted: (name: string) => boolean): string[] {
  const members: string[] = [];
  let depth = 0;
  let start: number | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const valueAt = depth === 1 ? afterColon(text, end + 1) : undefined;
      if (valueAt !== undefined && isWanted(nameOf(text.slice(at, end + 1)))) start = valueAt;
      at = end;
    } else if (code === openObject || code === openArray) {
      depth++;
    } else if (code === comma || code === closeObject || code === closeArray) {
      if (depth === 1 && start !== undefined) {
        members.push(text.slice(start, at));
        start = undefined;
      }
      if (code !== comma) depth--;
    }
  }
  return depth === 0 && /^\s*\{/.test(text) ? members : [];
}

/** Index of the quote that closes a string; the text's length if none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

/** Index of the value if a colon comes next: only a name is followed by one. */
function afterColon(text: string, start: number): number | undefined {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === colon ? at + 1 : undefined;
}

/** Most names have no escape, so no parser is needed. Stops at the first broken one: 60,000 exceptions take half a second. */
const nameOf = (source: string): string =>
  source.includes("\\") ? (JSON.parse(source) as string) : source.slice(1, -1);
