/** The rows of a document's tables, as the text of their cells without backticks around a whole cell. */
export function tableRows(document: string): string[][] {
  return document
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map(cellText));
}

const cellText = (cell: string): string => {
  const text = cell.trim();
  // Words in backticks, separated by commas, are a list of names.
  return /^`[^`]+`(, `[^`]+`)*$/.test(text) ? text.replaceAll("`", "") : text;
};
