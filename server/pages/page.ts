import type { RequestHandler, Response } from "express";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importMap } from "./browser_packages.ts";
import { fillTemplate } from "./template.ts";

/** A content security policy by its directives. */
type Policy = Readonly<Record<string, string>>;

/** For a page that loads only its stylesheet and icon. */
export const stylesOnly: Policy = {
  "default-src": "'none'",
  "style-src": "'self'",
  "img-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

const importMapHash = createHash("sha256").update(importMap).digest("base64");
const withModules: Policy = {
  ...stylesOnly,
  "script-src": `'self' 'sha256-${importMapHash}'`,
  "connect-src": "'self'",
};

export function sendHtml(response: Response, page: string, policy: Policy): void {
  const directives = Object.entries(policy).map((entry) => entry.join(" "));
  response
    .set({ "Content-Security-Policy": directives.join("; "), "Cache-Control": "no-store" })
    .type("html")
    .send(page);
}

interface PageOptions {
  /** Directives that extend or replace those of the default content security policy. */
  allowed?: Policy;
  /** The values of the page's own placeholders. */
  values?: () => Promise<Record<string, string>>;
}

/**
 * Sends a page of web/. Everything that it loads comes from this server. The import map, which replaces
 * {{{importMap}}}, is the only inline script of a page.
 */
export function sendPage(file: string, { allowed = {}, values }: PageOptions = {}): RequestHandler {
  const template = readPage(file);
  const policy = { ...withModules, ...allowed };
  return async (_request, response) => {
    const own = { importMap: `<script type="importmap">${importMap}</script>`, ...(await values?.()) };
    sendHtml(response, fillTemplate(template, own), policy);
  };
}

/** The text of a page of web/, with its placeholders. */
export const readPage = (file: string): string => readFileSync(join(import.meta.dirname, "../../web", file), "utf8");
