const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an element or a quoted attribute of HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/**
 * Fills a page's placeholders: {{name}} with text, {{{name}}} with HTML.
 * @throws when a placeholder has no value: an incomplete page must not be served
 */
export const fillTemplate = (template: string, values: Record<string, string>): string =>
  template.replace(/\{\{(\{?)(\w+)\}?\}\}/g, (_, isHtml: string, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The page has no value for ${name}.`);
    return isHtml ? value : escapeHtml(value);
  });
