import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { Form } from "../form.ts";
import { label, latchkey } from "../latchkey.ts";
import { offers } from "../ways.ts";

/** Whether this browser has passkeys. The page asks without the library for them, which is loaded with the first one. */
export const hasPasskeys = "PublicKeyCredential" in globalThis;

/** Ends the wait for a passkey of the autofill: a later end would end the request that came after it. */
let stopOffer = (): void => undefined;

type Signed = NonNullable<Awaited<ReturnType<typeof latchkey.signInWithPasskey>>["data"]>;
type OnSignedIn = (data: Signed) => void;

/** Signs in by a passkey alone. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: OnSignedIn }) {
  async function submit() {
    stopOffer();
    const result = await latchkey.signInWithPasskey({ label: label() });
    if (result.data) onSignedIn(result.data);
    return result;
  }
  return hasPasskeys && offers("passkey") ? html`<${Form} action="Sign in with a passkey" submit=${submit}><//>` : null;
}

/**
 * Offers passkeys in the autofill of a field with autocomplete="username webauthn", as long as `isWaiting`. Where this
 * does not work (the service or the browser has no passkeys), the page is as without.
 */
export function usePasskeyAutofill(isWaiting: boolean, onSignedIn: OnSignedIn): void {
  useEffect(() => {
    if (!isWaiting || !hasPasskeys || !offers("passkey")) return undefined;
    const end = new AbortController();
    stopOffer = () => end.abort();
    void offer();
    return stopOffer;

    async function offer() {
      const { isConditionalMediationAvailable: isAvailable } = PublicKeyCredential as Partial<
        typeof PublicKeyCredential
      >;
      if (!(await isAvailable?.()) || end.signal.aborted) return;
      const { data } = await latchkey.signInWithPasskey({ autofill: true, label: label(), signal: end.signal });
      if (data) onSignedIn(data);
    }
  }, [isWaiting]);
}
