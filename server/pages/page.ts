import type { RequestHandler } from "express";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importMap } from "./browser_packages.ts";
import { fillTemplate } from "./template.ts";

const importMapHash = createHash("sha256").update(importMap).digest("base64");
const policy = {
  "default-src": "'none'",
  "script-src": `'self' 'sha256-${importMapHash}'`,
  "style-src": "'self'",
  "img-src": "data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/**
 * Sends a page of web/. Everything that it loads comes from this server; the import map, which takes the place of {{{importMap}}}, is
 * the only script inside of a page.
 * allowed: directives of the content security policy that this page needs besides or instead
 */
export function sendPage(file: string, allowed: Record<string, string> = {}): RequestHandler {
  const template = readFileSync(join(import.meta.dirname, "../../web", file), "utf8");
  const page = fillTemplate(template, { importMap: `<script type="importmap">${importMap}</script>` });
  const directives = Object.entries({ ...policy, ...allowed }).map((entry) => entry.join(" "));
  return (_request, response) => {
    response
      .set({ "Content-Security-Policy": directives.join("; "), "Cache-Control": "no-store" })
      .type("html")
      .send(page);
  };
}
