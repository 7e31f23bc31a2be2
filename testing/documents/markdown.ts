/** The rows of a document's tables, as the text of their cells without backticks around a whole cell. */
export function tableRows(document: string): string[][] {
  return document
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map(unquoted));
}

/** A text without the backticks around it, or around each name of a list of names. */
export const unquoted = (cell: string): string => {
  const text = cell.trim();
  // Words in backticks, separated by commas, are a list of names.
  return /^`[^`]+`(, `[^`]+`)*$/.test(text) ? text.replaceAll("`", "") : text;
};

/**
 * The items of a document's lists that begin in bold: the bold text, without backticks around a whole name, and what
 * follows it, on one line.
 */
export function boldItems(document: string): [lead: string, text: string][] {
  const items = document.matchAll(/^- \*\*(.+?)\*\*(.*(?:\n {2,}\S.*)*)/gm);
  return Array.from(items, ([, lead = "", text = ""]) => [unquoted(lead), text.replaceAll(/\n */g, " ")]);
}
