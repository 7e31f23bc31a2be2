import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, sentence } from "./graphql_access.ts";
import { Problem } from "./parts.ts";
import { signInQuery } from "./documents/sign_in_documents.ts";
import { secret, signInProblem } from "./state.ts";

export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => field.current?.focus(), []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const typed = field.current?.value.trim() ?? "";
    if (typed === "" || isBusy) return;
    setBusy(true);
    signInProblem.value = "";
    try {
      await ask(signInQuery, {}, typed);
      secret.value = typed;
    } catch (error) {
      signInProblem.value ||= sentence(error);
    }
    setBusy(false);
  }

  return html`<main class="sign-in">
    <form onSubmit=${submit} aria-busy=${isBusy}>
      <h1>Operator console</h1>
      <p>Support and settings of this Latchkey. Sign in with the admin secret.</p>
      <label
        >Admin secret
        <input
          ref=${field}
          type="password"
          autocomplete="off"
          required
          aria-invalid=${signInProblem.value !== ""}
          aria-describedby="sign-in-note"
        />
      </label>
      <${Problem} text=${signInProblem.value} />
      <button class="primary" disabled=${isBusy}>${isBusy ? "Checking…" : "Sign in"}</button>
      <p id="sign-in-note" class="note">Only this tab's memory keeps it. A reload forgets it.</p>
    </form>
  </main>`;
}
