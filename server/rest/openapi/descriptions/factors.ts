import type { Descriptions } from "./description.ts";

/** Routes of second factors and passkeys, and what they prove. */
export const ofFactors: Descriptions = {
  "POST /auth/session/step-up": {
    summary: "Prove again who the session's user is",
    description:
      "Renews auth_time, amr and acr of the session, and replaces both tokens like a refresh. Send one of password, otp (a LOGIN code), code (of an " +
      "app), and challenge_id with a passkey's credential. A code of an app or a passkey makes the session aal2; password or LOGIN code replace what was proved before, so the session is aal1. Routes that answer " +
      "401 step_up_required work for STEP_UP_MAX_AGE_SECONDS after that. Wrong ones count as at a login. " +
      "A passkey whose counter went back is refused, and the account's phone is told.",
  },
  "POST /auth/login/factor": {
    summary: "Answer a challenge by a second factor",
    description:
      "The second step of a sign-in: POST /auth/login and POST /auth/login/otp answer 401 second_factor_required with challenge_id where the account " +
      "has a second factor. Send the code of an app, a recovery code, or a passkey's credential: one of the three. Label, guest and restored account are those of " +
      "the first step. Five wrong answers end the challenge; wrong ones count in FACTOR_FAILURES_PER_USER too, and 100 in a row lock " +
      "the account's factors until an admin unlocks them. A challenge that is unknown, used, expired, or older than a new password gets the response of a wrong code. " +
      "A passkey whose counter went back is refused, and the account's phone is told.",
  },
  "POST /auth/login/factor/options": {
    summary: "Begin to answer a challenge by a passkey",
    description:
      "What navigator.credentials.get() is to use one of the user's passkeys by; its answer is credential of POST /auth/login/factor. 404 " +
      "factor_not_found if the user has no passkey. A challenge that is unknown, used or expired gets the response of a wrong code.",
  },
  "POST /auth/session/step-up/options": {
    summary: "Begin to step a session up by a passkey",
    description:
      "What navigator.credentials.get() is to use one of the user's passkeys by; its answer is credential of POST /auth/session/step-up, with " +
      "challenge_id. 404 factor_not_found if the user has no passkey.",
  },
  "POST /auth/login/passkey/options": {
    summary: "Begin to sign in by a passkey",
    description:
      "What navigator.credentials.get() is to use a passkey by, of whichever user: PublicKeyCredential.parseRequestOptionsFromJSON reads options. " +
      "Ask for it when the page opens, for conditional mediation (autofill). 404 not_enabled without WEBAUTHN_RP_ID, or while PASSKEY_SIGN_IN is off.",
  },
  "POST /auth/login/passkey": {
    summary: "Sign in by a passkey alone",
    description:
      "The passkey names its user, and its device must have verified them: the session is aal2. The answer is the same for an unknown passkey, " +
      "a wrong signature, a challenge that was used or has ended, and a counter that went back, and each counts in LOGIN_FAILURES_PER_IP. " +
      "The account's phone is told of the last one.",
  },
  "GET /auth/factors": {
    summary: "List the user's second factors",
    description:
      "Second factors, newest first, and those that wait for their first code (confirmed is false) for an hour. Like all routes of second " +
      "factors it needs a sign-in or step-up within STEP_UP_MAX_AGE_SECONDS, with a second factor if the account has one; otherwise the " +
      "response is 401 step_up_required, and the access token stays valid.",
  },
  "POST /auth/factors/totp": {
    summary: "Add an authenticator app",
    description:
      "Makes a secret for an app (RFC 6238: SHA-1, six digits, 30 seconds). Show uri as a QR code, and secret for typing. The app counts once " +
      "POST /auth/factors/totp/verify has taken its first code. An account has at most ten second factors. 404 while SECOND_FACTOR is off.",
  },
  "POST /auth/factors/totp/verify": {
    summary: "Confirm an authenticator app by its first code",
    description:
      "From then on signing in needs a code of it. The account's first second factor brings recovery_codes, which are shown this once. The session is aal2 from then on: " +
      "refresh it to see that in its tokens. Wrong codes count in FACTOR_FAILURES_PER_USER; 100 in a row lock the account's factors.",
  },
  "POST /auth/factors/passkey/options": {
    summary: "Begin to add a passkey",
    description:
      "What navigator.credentials.create() is to make a passkey by: PublicKeyCredential.parseCreationOptionsFromJSON reads options. A newer " +
      "request of the session ends an earlier challenge. 404 not_enabled without WEBAUTHN_RP_ID, or while SECOND_FACTOR is off.",
  },
  "POST /auth/factors/passkey": {
    summary: "Add a passkey",
    description:
      "Adds the passkey that a browser made, which counts at once. The account's first second factor brings recovery_codes, which are shown this once. " +
      "The session is aal2 from then on: refresh it to see that in its tokens. Nothing asks who made the passkey's device (attestation).",
  },
  "DELETE /auth/factors/{factor_id}": {
    summary: "Remove a second factor",
    description: "Removes one of the user's second factors, and the recovery codes with the last one.",
  },
  "POST /auth/recovery-codes": {
    summary: "Replace the recovery codes",
    description:
      "Ten codes of 50 bits that replace a second factor, once each. The earlier ones are worthless. 404 factor_not_found if the account has no second factor.",
  },
};
