import { html } from "htm/preact";
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./parts.ts";

/** A component whose module is loaded when it is shown for the first time. */
export function lazily(load: () => Promise<FunctionComponent>): FunctionComponent {
  return function Lazy() {
    const [View, setView] = useState<FunctionComponent | undefined>();
    const [problem, setProblem] = useState("");
    useEffect(() => {
      load().then(
        (component) => setView(() => component),
        () => setProblem("This view cannot be loaded. Check the connection, and reload the page."),
      );
    }, []);
    if (View) return html`<${View} />`;
    return problem === ""
      ? html`<p class="busy" role="status" aria-busy="true">Loading…</p>`
      : html`<${Problem} text=${problem} />`;
  };
}
