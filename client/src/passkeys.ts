import type * as library from "@simplewebauthn/browser";
import type { AuthenticationResponseJSON } from "@simplewebauthn/browser";
import type { Api, ResultOf } from "./api.ts";
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

type ErrorOf<Outcome extends { error?: unknown }> = NonNullable<Outcome["error"]>;
type Added = ResultOf<"post", "/auth/factors/passkey">;
type SignedIn = ResultOf<"post", "/auth/login/passkey">;
type Begun = ResultOf<"post", "/auth/login/passkey/options">;

export interface SignInWithPasskeyOptions {
  /**
   * Offers passkeys in the autofill of a field with autocomplete="username webauthn", and waits, without a dialog, until
   * one is chosen: call it once when the page opens. Resolves with `cancelled` when another passkey request begins.
   */
  autofill?: boolean;
  /** The session's name in the list of sessions. */
  label?: string;
  signal?: AbortSignal;
}

/** Signs in by a passkey alone: it names its user. */
export type SignInWithPasskey = (
  options?: SignInWithPasskeyOptions,
) => Promise<Result<NonNullable<SignedIn["data"]>, ErrorOf<SignedIn> | ErrorOf<Begun> | PasskeyFailure>>;

/** Makes a passkey of the signed-in user, with this name in the list of factors. */
export type AddPasskey = (
  label?: string,
  options?: { signal?: AbortSignal },
) => Promise<
  Result<
    NonNullable<Added["data"]>,
    ErrorOf<Added> | ErrorOf<ResultOf<"post", "/auth/factors/passkey/options">> | PasskeyFailure
  >
>;

/** What this browser can do on this page. */
export type PasskeySupport = () => Promise<{ passkeys: boolean; autofill: boolean }>;

export interface Passkeys {
  signInWithPasskey: SignInWithPasskey;
  addPasskey: AddPasskey;
  passkeySupport: PasskeySupport;
}

type RequestOptions = NonNullable<Begun["data"]>["options"];

/** The service ends a challenge after five minutes; a form may stay open for longer. */
const marginMs = 30_000;

export function createPasskeys({ POST }: Pick<Api, "POST">): Passkeys {
  return {
    async signInWithPasskey({ autofill = false, label, signal } = {}) {
      for (;;) {
        const begun = await POST("/auth/login/passkey/options", withSignal(signal));
        if (begun.error) return { error: begun.error };
        const { challenge_id, options } = begun.data;
        const used = await usePasskey(options, { autofill, signal });
        if (used.error && used.isOverdue) continue;
        if (used.error) return { error: used.error };
        const body = { challenge_id, credential: used.data, ...(label !== undefined && { label }) };
        return POST("/auth/login/passkey", { body, ...withSignal(signal) });
      }
    },
    async addPasskey(label, { signal } = {}) {
      const begun = await POST("/auth/factors/passkey/options", withSignal(signal));
      if (begun.error) return { error: begun.error };
      const { challenge_id, options } = begun.data;
      const made = await inBrowser(signal, ({ startRegistration }) => startRegistration({ optionsJSON: options }));
      if (made.error) return made;
      const body = { challenge_id, credential: made.data, ...(label !== undefined && { label }) };
      return POST("/auth/factors/passkey", { body, ...withSignal(signal) });
    },
    async passkeySupport() {
      const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } = await load();
      const passkeys = browserSupportsWebAuthn();
      return { passkeys, autofill: passkeys && (await browserSupportsWebAuthnAutofill()) };
    },
  };
}

/** Has a passkey sign these options. `isOverdue`: nobody chose one while the challenge lived. */
export async function usePasskey(
  options: RequestOptions,
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
const load = (): Promise<Library> =>
  import("@simplewebauthn/browser").catch((cause: unknown) => {
    throw new NoResponse(cause);
  });

async function inBrowser<Data>(
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

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
