const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds members of a JSON object by name without parsing the whole text: JSON.parse of 256 KiB of distinct names blocks
 * the event loop for 40 ms, this scan for two.
 * @param text a JSON object; it is not validated, so parse what is found
 * @param isWanted whether to return the member of that name
 * @returns the values' source texts in the order of the text, repeated names included; empty if the text is not an object
 * @throws SyntaxError for a name with a broken escape
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

/** The index of the quote that ends a string; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}

/** The index after a colon, if one comes next: only names are followed by a colon. */
function afterColon(text: string, start: number): number | undefined {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === colon ? at + 1 : undefined;
}

/**
 * Parses a name only if it holds an escape. Throws at the first broken one: catching 60,000 of them would take half a
 * second.
 */
const nameOf = (source: string): string =>
  source.includes("\\") ? (JSON.parse(source) as string) : source.slice(1, -1);
