interface OtpCredential {
  code: string;
}

/** Whether this browser hands the code of an SMS to the page (WebOTP: Chrome on Android). */
export const hasWebOtp = "OTPCredential" in globalThis;

/**
 * Whether to ask for an SMS that names this page. Over http it is a page of this machine, which hardly any OTP_ORIGINS
 * has: the service would refuse the request.
 */
export const isNameable = hasWebOtp && location.protocol === "https:";

/** Waits for an SMS that names this page's origin. The returned function stops that. */
export function watchForCode(onCode: (code: string) => void): () => void {
  const stopped = new AbortController();
  if (hasWebOtp) {
    const options = { otp: { transport: ["sms"] }, signal: stopped.signal };
    navigator.credentials.get(options as CredentialRequestOptions).then(
      (credential) => onCode((credential as unknown as OtpCredential).code),
      // Refused or stopped: the user types the code.
      () => undefined,
    );
  }
  return () => stopped.abort();
}
