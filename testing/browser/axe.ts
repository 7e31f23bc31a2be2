import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Result, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of axe that colors alone decide: where only those differ, the others find nothing new. */
export const colorRules = ["color-contrast", "link-in-text-block"];

/** Returns what axe finds wrong on the page, of these rules or of all. */
export async function axeViolations(page: Page, rules?: string[]): Promise<Result[]> {
  // Evaluated by the debugger, because the page's policy would refuse a script element.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(source);
  // What passed is told in full otherwise, with the HTML of every element.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  // As text, because it runs in the page, where this module is not loaded.
  return page.evaluate<Result[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`);
}
