import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatMoment } from "./format.ts";
import type { Loaded } from "./requests.ts";

/**
 * The heading of a view. It takes the focus when the view opens, so that a keyboard or screen reader continues there.
 */
export function Heading({ children }: { children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return html`<h1 ref=${heading} tabindex="-1">${children}</h1>`;
}

export const Moment = ({ at }: { at: string }) => html`<time datetime=${at} title=${at}>${formatMoment(at)}</time>`;

export const Problem = ({ text, retry }: { text: string; retry?: () => void }) =>
  text === ""
    ? null
    : html`<p class="problem" role="alert">
        ${text}${retry && html` <button type="button" class="quiet" onClick=${retry}>Try again</button>`}
      </p>`;

export const Empty = ({ children }: { children?: ComponentChildren }) => html`<p class="empty">${children}</p>`;

export const Badge = ({ tone = "plain", children }: { tone?: string; children?: ComponentChildren }) =>
  html`<span class=${`badge ${tone}`}>${children}</span>`;

/** Shows the state of a request: in progress, failed, or its answer. */
export function Answer<Data>({
  of: { data, problem, isBusy, reload },
  busy = "Loading…",
  children,
}: {
  of: Loaded<Data>;
  busy?: string;
  children: (data: Data) => ComponentChildren;
}) {
  return html`<div class="answer" aria-busy=${isBusy}>
    ${isBusy && html`<p class="busy" role="status">${busy}</p>`}
    <${Problem} text=${isBusy ? "" : problem} retry=${reload} />
    ${data !== undefined && children(data)}
  </div>`;
}

/** A column of a table: its name, and whether it holds numbers or shares. */
export type Column = [name: string, kind?: "number" | "share"];

interface TableProperties {
  label: string;
  columns: Column[];
  /** Cells in the order of the columns; the first one names the row. */
  rows: { key: string; cells: ComponentChildren[] }[];
}

/**
 * A table that scrolls in its own box. A narrow screen shows each row as a list of names and values (tables.css), so
 * that no column is out of sight; the roles keep it a table there for screen readers.
 */
export const Table = ({ label, columns, rows }: TableProperties) =>
  html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(([name, kind]) => html`<th key=${name} scope="col" role="columnheader" class=${kind}>${name}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          ({ key, cells: [first, ...others] }) =>
            html`<tr key=${key} role="row">
              <th scope="row" role="rowheader">${first}</th>
              ${others.map((cell, index) => {
                const [name, kind] = columns[index + 1] ?? [];
                return html`<td key=${name} role="cell" class=${kind} data-column=${name}>${cell}</td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/**
 * The buttons between pages, the newest first; none where one page is all.
 * starts: where each page up to this one begins. next: where the one after it begins; undefined: there is none.
 */
export function Pager({ starts, next, setStarts, isBusy }: PagerState) {
  if (starts.length === 1 && next === undefined) return null;
  return html`<div class="buttons">
    <button type="button" disabled=${starts.length === 1 || isBusy} onClick=${() => setStarts(starts.slice(0, -1))}>
      Newer
    </button>
    <button
      type="button"
      disabled=${next === undefined || isBusy}
      onClick=${() => next !== undefined && setStarts([...starts, next])}
    >
      Older
    </button>
  </div>`;
}

interface PagerState {
  starts: string[];
  next: string | undefined;
  setStarts: (starts: string[]) => void;
  /** While a page is asked for, a second press would skip it. */
  isBusy: boolean;
}
