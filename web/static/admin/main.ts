import { html } from "htm/preact";
import { render } from "preact";
import { App } from "./admin_app.ts";

const root = document.querySelector("#app");
if (root) {
  root.textContent = "";
  render(html`<${App} />`, root);
}
