import type { RequestHandler } from "express";
import packageJson from "../../package.json" with { type: "json" };
import type { Readiness } from "../../http/readiness.ts";
import type { FrontPageLink } from "./front_page_links.ts";
import { readPage, sendHtml, stylesOnly } from "./page.ts";
import { escapeHtml, fillTemplate } from "./template.ts";

const template = readPage("front_page.html");

/** Describes the names of http/readiness.ts for people. */
const faults: Record<string, string> = {
  database: "the database does not answer",
  email: "emails are turned on, and no worker can send one",
  listener: "the database's notifications do not arrive",
  provider: "no worker can send by the chosen provider",
  schema: "the database has another version than this server",
  stopping: "the server is about to stop",
  worker: "no worker runs, so no code is sent",
};

/**
 * GET /: describes the service, shows whether it is ready, and links to its parts. It works without JavaScript and
 * loads only its stylesheet.
 */
export function sendFrontPage(readiness: Readiness, pages: readonly FrontPageLink[]): RequestHandler {
  const links = pages
    .map(
      ({ href, name, text }) =>
        `<li><a href="${escapeHtml(href)}"><b>${escapeHtml(name)}</b>${escapeHtml(text)}</a></li>`,
    )
    .join("\n");
  return async (_request, response) => {
    const [failed, undelivered] = await Promise.all([readiness.failed(), readiness.undelivered()]);
    const isReady = failed.length === 0;
    const faultsOf = (names: string[]) => `${names.map((name) => faults[name] ?? name).join("; ")}.`;
    const page = fillTemplate(template, {
      links,
      version: packageJson.version,
      state: isReady && undelivered.length === 0 ? "good" : "bad",
      stateTitle: !isReady ? "Not ready:" : undelivered.length > 0 ? "Sends no codes:" : "Ready.",
      stateText: !isReady
        ? faultsOf(failed)
        : undelivered.length > 0
          ? faultsOf(undelivered)
          : "The service can sign people in and send codes.",
    });
    sendHtml(response, page, stylesOnly);
  };
}
