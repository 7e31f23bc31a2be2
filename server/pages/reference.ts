import type { RequestHandler } from "express";
import { readPage, sendHtml, stylesOnly } from "./page.ts";
import { escapeHtml, fillTemplate } from "./template.ts";

/** The parts of an OpenAPI document that the list of operations shows. */
interface Documented {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string; description?: string }>>;
}

const template = readPage("reference.html");

/**
 * GET /docs: every operation, with what it does, and a link to its place in the full reference. The reference loads
 * 300 KB of Redoc; this list appears at once, and without JavaScript.
 * @param createDocument creates the OpenAPI document; called at the first request
 */
export function sendReference(createDocument: () => object): RequestHandler {
  let page: string | undefined;
  return (_request, response) => {
    page ??= fillTemplate(template, { operations: listOf(createDocument() as Documented) });
    sendHtml(response, page, stylesOnly);
  };
}

const listOf = ({ tags, paths }: Documented): string =>
  tags
    .map(({ name, description }) => {
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => operation.tags.includes(name))
          .map(([method, operation]) => entryOf(path, method, { ...operation, tag: name })),
      );
      return `<h2>${escapeHtml(description)}</h2>\n<ul class="operations">${operations.join("\n")}</ul>`;
    })
    .join("\n");

interface Operation {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
}

const entryOf = (path: string, method: string, operation: Operation): string =>
  `<li><a href="/docs/reference#tag/${operation.tag}/operation/${operation.operationId}"><b>${escapeHtml(operation.summary)}</b>
<code>${method.toUpperCase()} ${escapeHtml(path)}</code></a><p>${escapeHtml(operation.description ?? "")}</p></li>`;
