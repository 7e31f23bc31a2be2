import { useSignal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { CodeField, Field } from "../fields.ts";
import { Form } from "../form.ts";
import { latchkey } from "../latchkey.ts";

type Fields = Record<string, string>;

interface Waiting {
  factor_id: string;
  secret: string;
  uri: string;
}

/** Adds an authenticator app: its name, then a QR code or key for it, then its first code. */
export function AddApp({ onAdded }: { onAdded: (recoveryCodes: string[] | undefined) => Promise<void> }) {
  const waiting = useSignal<Waiting | undefined>(undefined);
  async function begin({ label = "" }: Fields) {
    const result = await latchkey.POST("/auth/factors/totp", { body: label.trim() ? { label: label.trim() } : {} });
    if (result.data) waiting.value = result.data;
    return result;
  }
  async function confirm({ otp = "" }: Fields) {
    const body = { factor_id: waiting.value?.factor_id ?? "", code: otp };
    const result = await latchkey.POST("/auth/factors/totp/verify", { body });
    if (result.error) return result;
    waiting.value = undefined;
    await onAdded(result.data.recovery_codes);
    return result;
  }
  if (!waiting.value)
    return html`<${Form} key="name" action="Go on" submit=${begin}>
      <${Field}
        ...${{ name: "label", label: "Name of the app", required: false, autocomplete: "off", maxlength: 64 }}
        hint="Such as: my phone"
      />
    <//>`;
  const { secret, uri } = waiting.value;
  return html`<div class="steps">
    <p>Scan this with the app. On the phone itself, <a href=${uri}>open the app</a>.</p>
    <${QrCode} text=${uri} />
    <p>Or type this key into it (time-based, six digits):</p>
    <p class="key"><code>${secret.match(/.{1,4}/g)?.join(" ")}</code></p>
    <${Form} key="code" action="Confirm" source="app" submit=${confirm}>
      <${CodeField} code="" source="app" />
    <//>
  </div>`;
}

/** Dark on white in every color scheme, because not every app reads an inverted one. */
function QrCode({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void draw();
    async function draw() {
      const [{ generate }, { toSvg }] = await Promise.all([import("lean-qr"), import("lean-qr/extras/svg")]);
      box.current?.replaceChildren(
        toSvg(generate(text), document, { on: "#000", off: "#fff", width: 200, height: 200 }),
      );
    }
  }, [text]);
  return html`<div class="qr" ref=${box} role="img" aria-label="QR code with the key below"></div>`;
}
