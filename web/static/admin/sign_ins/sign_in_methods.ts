const names: Record<string, string> = {
  pwd: "password",
  sms: "code",
  hwk: "passkey",
  swk: "passkey",
};

/** Whether two factors were proved, or a passkey that verified its user: acr aal2. */
export const isStrong = (amr: (string | null)[]): boolean => amr.includes("mfa");

/** Names how somebody signed in, from claim amr (RFC 8176): "password and authenticator app". */
export function nameMethods(amr: (string | null)[]): string {
  const methods = amr.map((method) => names[method ?? ""]).filter((name) => name !== undefined);
  if (amr.includes("otp")) methods.push(isStrong(amr) && methods.length > 0 ? "authenticator app" : "code by email");
  // Nothing else stands for a second factor that was a recovery code.
  if (isStrong(amr) && methods.length === 1 && methods[0] !== "passkey")
    methods.push(amr.includes("otp") ? "second factor" : "recovery code");
  return methods.join(" and ") || "another method";
}
