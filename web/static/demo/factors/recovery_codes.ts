import { html } from "htm/preact";
import { Title } from "../title.ts";

/** Recovery codes, which are shown this once. Printed, the page is the codes alone. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  return html`<div class="recovery">
    <${Title}>Your recovery codes<//>
    <p>
      Each replaces your second factor once, if you lose it. They are shown only now: print them, or write them down,
      and keep them away from your phone. Codes that you had before work no more.
    </p>
    <ul class="digits">
      ${codes.map((code) => html`<li key=${code}><code>${code}</code></li>`)}
    </ul>
    <p class="printed">For ${location.host}, made ${new Date().toLocaleDateString([], { dateStyle: "long" })}</p>
    <div class="row">
      <button type="button" onClick=${() => print()}>Print</button>
      <button type="button" class="main" onClick=${onKept}>I have kept them</button>
    </div>
  </div>`;
}
