import type * as library from "@simplewebauthn/browser";
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { failureOf, type Result, type TransportError } from "./errors.ts";
import { NoResponse } from "./send_request.ts";

/** The browser made or used no passkey. */
export interface PasskeyFailure {
  code: "PASSKEY_FAILURE";
  message: string;
  /**
   * Why. `cancelled`: by the person, by your `signal`, by another passkey request of this page, or because nothing was
   * chosen in time: browsers do not say which. `exists`: this device has a passkey of the user. `unsupported`: this browser
   * cannot, or the page is not of the service's domain (WEBAUTHN_RP_ID) or without https.
   */
  reason: "cancelled" | "exists" | "unsupported";
  cause: unknown;
}

export type PasskeyRequestOptions = PublicKeyCredentialRequestOptionsJSON & { timeout: number };

/** The service ends a challenge after five minutes; a form may stay open for longer. */
const marginMs = 30_000;

/** Has a passkey sign these options. `isOverdue`: nobody chose one while the challenge lived. */
export async function usePasskey(
  options: PasskeyRequestOptions,
  { autofill = false, signal }: { autofill?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Result<AuthenticationResponseJSON, BrowserError> & { isOverdue?: boolean }> {
  let isOverdue = false;
  const used = await inBrowser(signal, async ({ startAuthentication, WebAuthnAbortService }) => {
    const end = () => {
      isOverdue = true;
      WebAuthnAbortService.cancelCeremony();
    };
    const timer = autofill ? setTimeout(end, options.timeout - marginMs) : undefined;
    try {
      return await startAuthentication({
        optionsJSON: options,
        useBrowserAutofill: autofill,
        verifyBrowserAutofillInput: false,
      });
    } finally {
      clearTimeout(timer);
    }
  });
  return { ...used, isOverdue };
}

type Library = typeof library;
type BrowserError = PasskeyFailure | TransportError;

/** Loads the library with the first passkey: pages without one do not download it. */
export const load = (): Promise<Library> =>
  import("@simplewebauthn/browser").catch((cause: unknown) => {
    throw new NoResponse(cause);
  });

export async function inBrowser<Data>(
  signal: AbortSignal | undefined,
  ceremony: (library: Library) => Promise<Data>,
): Promise<Result<Data, BrowserError>> {
  let cancel: (() => void) | undefined;
  try {
    const loaded = await load();
    if (signal?.aborted) return failure("cancelled", signal.reason);
    cancel = () => loaded.WebAuthnAbortService.cancelCeremony();
    signal?.addEventListener("abort", cancel);
    return { data: await ceremony(loaded) };
  } catch (cause) {
    return cause instanceof NoResponse ? failureOf(cause, signal) : failure(reasonOf(cause), cause);
  } finally {
    if (cancel) signal?.removeEventListener("abort", cancel);
  }
}

/** The names are WebAuthn's (w3.org/TR/webauthn-3, sections 5.1.3 and 5.1.4, checked 2026-11-28). */
function reasonOf(cause: unknown): PasskeyFailure["reason"] {
  const { name } = cause as Partial<Error>;
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  return name === "InvalidStateError" ? "exists" : "unsupported";
}

const failure = (reason: PasskeyFailure["reason"], cause: unknown): { error: PasskeyFailure } => ({
  error: { code: "PASSKEY_FAILURE", message: (cause as Partial<Error> | undefined)?.message ?? reason, reason, cause },
});
