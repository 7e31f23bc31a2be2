/**
 * Of 1,024 characters (code points): no more of them make 256 characters in NFC, because each of those is made of four
 * at most.
 */
const longest = 1_024;

/**
 * Normalizes a text. Undefined if it is too long for that: combining marks take time in the square of their number, 16
 * KB of them a third of a second. Everything else that reads a stranger's text takes time in proportion to its length
 * (rules of eslint.config.js).
 */
export function normalizeText(text: string, form: "NFC" | "NFKC"): string | undefined {
  // A character has two units of UTF-16 at most, so that counting them has a bound, too.
  const isShort = text.length <= longest || (text.length <= 2 * longest && Array.from(text).length <= longest);
  return isShort ? text.normalize(form) : undefined;
}
