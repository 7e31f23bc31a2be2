import { html } from "htm/preact";
import { Account } from "./account.ts";
import { StepUp } from "./factors/step_up.ts";
import { isOnline, isSignedIn, notice, session } from "./latchkey.ts";
import { SignedOut } from "./signed_out.ts";

export function App() {
  return html`
    <h1>Sign-in demo</h1>
    <p class="lead">Every request of this page goes through @latchkey/client.</p>
    <div role="status">
      ${!isOnline.value && html`<p class="state bad">You are offline. Nobody is signed out by that.</p>`}
      ${notice.value && html`<p class="state">${notice.value}</p>`}
    </div>
    <div class="card">${isSignedIn.value ? html`<${Account} key=${session.value?.id} />` : html`<${SignedOut} />`}</div>
    <${StepUp} />
    <footer><a href="/">Latchkey</a> · <a href="/docs">API reference</a></footer>
  `;
}
