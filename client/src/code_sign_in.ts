import type { Api, ResultOf } from "./api.ts";
import type { Result } from "./errors.ts";

type SendError = NonNullable<ResultOf<"post", "/otp/send">["error"]>;

export interface SendCodeOptions {
  /** Lets the phone fill the code in: the page's origin, or an Android app's hash. The service must allow it. */
  autofill?: { origin: string } | { appHash: string };
  /** How the code is to be sent. The service must allow it. */
  channel?: "sms" | "whatsapp" | "voice";
  /** The token of the captcha that the error `proof_required` names. It counts once. */
  proof?: string;
  signal?: AbortSignal;
}

export interface EnterCodeOptions {
  /** Kept with an account that the code opens. */
  email?: string;
  /** The session's name in the list of sessions. */
  label?: string;
  signal?: AbortSignal;
}

/** A code that was sent. */
export interface SentCode {
  /** The phone, or the email, that it was sent to. */
  phone: string;
  /** When the code ends. */
  expiresAt: string;
  /**
   * Signs in by the code as typed, and opens an account where the phone has none: `data.created` says so. After an
   * error it may be called again with another code.
   */
  enter: (code: string, options?: EnterCodeOptions) => Promise<ResultOf<"post", "/auth/login/otp">>;
}

/**
 * Sends a code to a phone, whether or not it has an account, or to a verified email (a name with "@"), which the service
 * must allow (EMAIL_SIGN_IN). An email opens no account.
 */
export type SignInWithCode = (phone: string, options?: SendCodeOptions) => Promise<Result<SentCode, SendError>>;

export const createSignInWithCode =
  ({ POST }: Pick<Api, "POST">): SignInWithCode =>
  async (phone, { autofill, channel, proof, ...options } = {}) => {
    const isEmail = phone.includes("@");
    const input = { identifier: phone, identifierType: isEmail ? "EMAIL" : "PHONE", purpose: "LOGIN" } as const;
    const { data, error } = await POST("/otp/send", {
      body: {
        input: {
          ...input,
          ...(autofill && { autofill }),
          ...(channel && { channel }),
          ...(proof !== undefined && { proof }),
        },
      },
      ...options,
    });
    if (error) return { error };
    return {
      data: {
        phone,
        expiresAt: data.expiresAt,
        enter: (otp, { signal, ...fields } = {}) =>
          POST("/auth/login/otp", {
            body: { otp, ...fields, ...(isEmail ? { email: phone } : { phone }) },
            ...(signal && { signal }),
          }),
      },
    };
  };
