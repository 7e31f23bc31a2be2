import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";

let isFirst = true;

/** The heading of a view. It takes the focus when the view changes, so that screen readers announce the change. */
export function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the next key is handled: a later move of the focus would interrupt somebody's typing.
  useLayoutEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return html`<h2 ref=${heading} tabindex="-1">${children}</h2>`;
}
