import { html } from "htm/preact";
import { lazily } from "./lazy.ts";
import { SignIn } from "./sign_in_form.ts";
import { secret } from "./state.ts";

const loadFrame = async () => (await import("./frame.ts")).Frame;
const LazyFrame = lazily(loadFrame);

/** Shows the form first, and loads the views while the secret is typed. */
export function App() {
  if (secret.value !== "") return html`<${LazyFrame} />`;
  // LazyFrame shows a failure.
  loadFrame().catch(() => undefined);
  return html`<${SignIn} />`;
}
