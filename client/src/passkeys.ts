import type { Api, ResultOf } from "./api.ts";
import { inBrowser, load, usePasskey, type PasskeyFailure } from "./browser_passkeys.ts";
import type { Result } from "./errors.ts";

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

type SteppedUp = ResultOf<"post", "/auth/session/step-up">;

/** Steps the session up by one of the signed-in user's passkeys. */
export type StepUpWithPasskey = (options?: {
  signal?: AbortSignal;
}) => Promise<
  Result<
    NonNullable<SteppedUp["data"]>,
    ErrorOf<SteppedUp> | ErrorOf<ResultOf<"post", "/auth/session/step-up/options">> | PasskeyFailure
  >
>;

/** What this browser can do on this page. */
export type PasskeySupport = () => Promise<{ passkeys: boolean; autofill: boolean }>;

export interface Passkeys {
  signInWithPasskey: SignInWithPasskey;
  addPasskey: AddPasskey;
  stepUpWithPasskey: StepUpWithPasskey;
  passkeySupport: PasskeySupport;
}

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
    async stepUpWithPasskey({ signal } = {}) {
      const begun = await POST("/auth/session/step-up/options", withSignal(signal));
      if (begun.error) return { error: begun.error };
      const { challenge_id, options } = begun.data;
      const used = await usePasskey(options, { signal });
      if (used.error) return { error: used.error };
      return POST("/auth/session/step-up", { body: { challenge_id, credential: used.data }, ...withSignal(signal) });
    },
    async passkeySupport() {
      const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } = await load();
      const passkeys = browserSupportsWebAuthn();
      return { passkeys, autofill: passkeys && (await browserSupportsWebAuthnAutofill()) };
    },
  };
}

const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
