/** Longer than any code or phone with a separator after each digit, and marks of direction around it. */
const longest = 250;

/**
 * Unicode's characters that show nothing: joiners, marks of direction, variation selectors. A copied text is often
 * wrapped in them.
 */
const invisible = /[\p{Cf}\p{Variation_Selector}]/gu;
/** White space, hyphens and dashes (a minus sign is often used as one). */
const separators = /[\p{White_Space}\p{Dash}]/gu;

/**
 * A text as people type or copy it, without invisible characters, each Unicode decimal digit as its ASCII digit;
 * undefined if too long.
 */
export function readTypedText(text: string): string | undefined {
  if (text.length > longest) return undefined;
  return text.replace(invisible, "").replace(/\p{Nd}/gu, toAsciiDigit);
}

/** A code as people type it: its digits alone if it is well-formed; undefined if it is too long. */
export const readTypedCode = (text: string): string | undefined => readTypedText(text)?.replace(separators, "");

/**
 * Unicode has the ten digits of a script one after another, from zero on. Scripts that are neighbors have full tens.
 */
function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((codePoint - zero) % 10);
}
