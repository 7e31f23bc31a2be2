import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatMoment } from "./format.ts";
import type { Loaded } from "./requests.ts";

/** The heading of a view. It takes the focus when the view opens, so that a keyboard or screen reader continues there. */
export function Heading({ children }: { children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return html`<h1 ref=${heading} tabindex="-1">${children}</h1>`;
}

export const Moment = ({ at }: { at: string }) =>
  html`<time datetime=${at} title=${at}>${formatMoment(at)}</time>`;

export const Problem = ({ text, retry }: { text: string; retry?: () => void }) =>
  text === ""
    ? null
    : html`<p class="problem" role="alert">
        ${text}${retry && html` <button type="button" class="quiet" onClick=${retry}>Try again</button>`}
      </p>`;

export const Empty = ({ children }: { children?: ComponentChildren }) =>
  html`<p class="empty">${children}</p>`;

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
