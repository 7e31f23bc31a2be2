/** An origin-bound one-time code: the host whose pages may have the code. */
export interface OriginBoundCode {
  host: string;
  code: string;
}

const asciiWhitespace = new Set("\t\n\f\r ");

/**
 * Parses a message by the algorithm of the WICG draft "Origin-bound one-time codes delivered via SMS", section 3.2,
 * without the embedded host, which we never send. Written from the draft, because Chromium's own parser needs an SMS of
 * a real phone.
 * @returns undefined where the draft returns failure
 */
export function parseOriginBoundCode(message: string): OriginBoundCode | undefined {
  const line = message.replaceAll(/\r\n?/g, "\n").split("\n").at(-1) ?? "";
  const host = markedToken(line, 0, "@");
  if (host === undefined) return undefined;
  const blank = 1 + host.length;
  if (line[blank] !== " ") return undefined;
  const code = markedToken(line, blank + 1, "#");
  return code === undefined ? undefined : { host, code };
}

function markedToken(line: string, position: number, marker: string): string | undefined {
  if (line[position] !== marker) return undefined;
  let end = position + 1;
  while (end < line.length && !asciiWhitespace.has(line[end]!)) end++;
  return end === position + 1 ? undefined : line.slice(position + 1, end);
}
