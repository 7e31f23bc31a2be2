import { html } from "htm/preact";
import { render } from "preact";
import { App } from "./demo_app.ts";
import { latchkey } from "./latchkey.ts";

const root = document.querySelector("#app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}
// A visitor is a guest until signing in. Data that an app keeps for the guest then belong to the user.
void latchkey.session.ensureGuest();
