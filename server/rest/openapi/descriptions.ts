/** What the OpenAPI document says of each route: a summary, and what a client has to know besides its schemas. */
export const descriptions: Record<string, { summary: string; description: string }> = {
  "POST /auth/session/guest": {
    summary: "Open a guest session",
    description: "Opens a session without credentials. Its tokens authorize GraphQL as role guest.",
  },
  "POST /auth/session/refresh": {
    summary: "Replace both tokens of a session",
    description:
      "Send the refresh token twice: as bearer token and in the body. Both tokens are replaced and both lifetimes start again. " +
      "The refresh token that was just replaced still works for REFRESH_REUSE_GRACE_SECONDS, so that a lost response can be requested again; " +
      "after that, using it again is taken for theft: REFRESH_REUSE_POLICY says whether the session is revoked or the request refused.",
  },
  "POST /auth/session/step-up": {
    summary: "Prove again who the session's user is",
    description:
      "Renews auth_time, amr and acr of the session, and replaces both tokens like a refresh. Send one of password, otp (a LOGIN code), code (of an " +
      "app), and challenge_id with a passkey's credential. A code of an app or a passkey makes the session aal2; password or LOGIN code replace what was proved before, so the session is aal1. Routes that answer " +
      "401 step_up_required work for STEP_UP_MAX_AGE_SECONDS after that. Wrong ones count as at a login. " +
      "A passkey whose counter went back is refused, and the account's phone is told.",
  },
  "POST /auth/logout": {
    summary: "Revoke the caller's session",
    description: "Revokes the session of the access token. The user's other sessions stay open.",
  },
  "GET /auth/session": {
    summary: "Who is calling",
    description: "The session of the access token, and its user's phone and email; null where there is none.",
  },
  "GET /auth/sessions": {
    summary: "List the user's sessions",
    description:
      "Live sessions, newest first, at most 100. client and user_agent are null while SESSION_CLIENT_DETAILS is off. label and user_agent " +
      "are free text of the client that opened the session: show them as text, never as markup.",
  },
  "POST /auth/sessions/revoke-others": {
    summary: "Revoke all other sessions of the user",
    description: "Revokes every session of the user except the one of the access token, and says how many were live.",
  },
  "DELETE /auth/sessions/{session_id}": {
    summary: "Revoke one of the caller's sessions",
    description:
      "Revokes a live session of the user; it may be the session of the request. Any other id gets 404, and then the access token stays valid.",
  },
  "DELETE /auth/account": {
    summary: "Delete the caller's account",
    description:
      "Revokes every session of the user at once. The account can be restored for ACCOUNT_DELETION_GRACE_SECONDS: a login until " +
      "deletion_due_at does that. After that signing in fails as for an unknown phone, and everything stored about the person is " +
      "erased. Send the password, or a LOGIN code (POST /otp/send): one of the two. A wrong one counts as at a login.",
  },
  "GET /auth/account/export": {
    summary: "Export what is stored about the caller",
    description:
      "Everything that is stored about the user (GDPR articles 15 and 20), apart from hashes and token ids: the account, and lists of the " +
      "newest 500 rows each. shortened names the lists that have more. Limited by EXPORTS_PER_USER.",
  },
  "POST /auth/register": {
    summary: "Register a phone and a password",
    description:
      "A valid request gets 201 with a new userId, whether or not the phone is registered already. " +
      "The account comes into being when the phone is verified: send a SIGNUP code (POST /otp/send), then call POST /auth/register/verify. " +
      "While REGISTRATION is invited, nothing is stored for a phone that is not invited; 404 while it is closed.",
  },
  "POST /auth/register/verify": {
    summary: "Verify a registration by its code",
    description:
      "Confirms the phone by a SIGNUP code, makes the account and opens a session. With userId it confirms that registration, with its " +
      "password. Without userId the password is set only if all registrations that wait for this phone have the same one; otherwise the " +
      "account has no password, and a password reset sets one. So nobody who registers a stranger's phone gets a password that works. " +
      "A guest's access token is taken as at POST /auth/login.",
  },
  "POST /auth/login": {
    summary: "Log in by phone or email, and password",
    description:
      "Send phone, or while EMAIL_SIGN_IN is on a verified email in its place. An unknown one, a wrong password and a registration that waits for its code get the same response in the same time. " +
      "Once a limit is reached, the right password gets 429, too. With a guest's access token in the header, the guest's session ends and " +
      "promoted_session_id names it. A login restores an account that its owner deleted, while the deletion is not due, and says restored.",
  },
  "POST /auth/login/otp": {
    summary: "Log in, or sign up, by phone and code",
    description:
      "Opens a session by a LOGIN code (POST /otp/send). For a phone without an account the right code opens one, with a verified phone and " +
      "without a password, and created is true; over REGISTER_PER_IP it gets 429 and stays valid. While SIGNUP_BY_CODE is off, for a " +
      "disabled account, and for a phone that is not invited while REGISTRATION is not open, the right code gets the response of a wrong one. A verified email without a phone signs in by the code that was sent to it, while EMAIL_SIGN_IN is on, " +
      "and opens no account. 404 while LOGIN_BY_OTP is off.",
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
  "POST /auth/password": {
    summary: "Change the caller's password",
    description:
      "Sets a new password and revokes every other session of the user. A wrong current password is counted like a failed " +
      "login. An account without a password sets its first one by leaving currentPassword out, within ten minutes of signing in.",
  },
  "POST /auth/phone": {
    summary: "Send a code to the caller's new phone",
    description:
      "Sends a code to the new phone and waits for the provider's answer, whether or not that phone has an account. The code works only for " +
      "the account that requested it and for no other. A wrong password is counted like a failed login. While PHONE_RECOVERY_BY_EMAIL is on, a " +
      "session that a code by email opened within ten minutes may leave the password out: the code then changes the phone after RECOVERY_DELAY_SECONDS.",
  },
  "POST /auth/phone/verify": {
    summary: "Change the caller's phone by its code",
    description:
      "Gives the account the new phone and revokes every other session of the user. The old phone gets an SMS without a code. " +
      "409 if the new phone has an account, which only the holder of its code learns. A code that was requested without the password changes " +
      "the phone at phone_change_due_at, and revokes the sessions then; until then the old phone, which gets a notice, and every session may stop it.",
  },
  "DELETE /auth/phone/change": {
    summary: "Stop a change of phone that waits",
    description:
      "Stops the change that GET /auth/session shows as phone_change_due_at. Any session of the user may. 200 also if there is none.",
  },
  "POST /auth/email": {
    summary: "Send a code to the caller's new email",
    description:
      "Sends a code to an email address and waits for the mail server's answer, whether or not another account has the address. The code works " +
      "only for the account that requested it. Send the password, or leave it out within ten minutes of signing in. A wrong one is counted like " +
      "a failed login. 404 while EMAIL_DELIVERY is off.",
  },
  "POST /auth/email/verify": {
    summary: "Verify the caller's email by its code",
    description:
      "Gives the account the email, verified. The phone, and the verified email that the account had, get a notice without a code. 409 if " +
      "another account has verified the email, which only the holder of its code learns. 404 while EMAIL_DELIVERY is off.",
  },
  "DELETE /auth/email": {
    summary: "Remove the caller's email",
    description:
      "Takes the email from the account. The phone, and the email if it was verified, get a notice. Send the password, or leave it out within " +
      "ten minutes of signing in. 404 while EMAIL_DELIVERY is off.",
  },
  "POST /auth/reset-password": {
    summary: "Send a password reset code",
    description:
      "Sends a PASSWORD_RESET code by SMS if the phone has an account, or while EMAIL_SIGN_IN is on to a verified email that is sent in its " +
      "place. The response is the same if there is no account, and if a limit is reached.",
  },
  "POST /auth/reset-password/verify": {
    summary: "Set a new password by a reset code",
    description:
      "Sets the password and revokes every session of the account. Send the phone or the email that got the code.",
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
  "POST /otp/send": {
    summary: "Send a one-time password",
    description:
      "Sends a code and waits for the provider's answer. Once it is sent, it replaces the one before it; after OTP_SEND_FAILED that one still works. " +
      "A code for an EMAIL identifier is always stored, and sent only while the setting EMAIL_DELIVERY is on. " +
      "While REGISTRATION is not open, a SIGNUP or LOGIN code that would open nothing gets the same response, and is not sent. " +
      "While SEND_PROOF is on, a send may need the proof of a captcha: 403 proof_required names it.",
  },
  "POST /otp/receipts/twilio": {
    summary: "Take a delivery receipt of Twilio",
    description:
      "Twilio calls it when the status of a message or call changes. The query names the attempt. A receipt that is repeated, late, " +
      "not final or about an unknown message gets 200 and changes nothing. 404 unless PUBLIC_URL and TWILIO_AUTH_TOKEN are set.",
  },
  "POST /otp/receipts/vonage": {
    summary: "Take a delivery receipt of Vonage",
    description:
      "Vonage calls it when the status of a message changes. The field sig authenticates the request: it signs all other fields, by " +
      "HMAC-SHA-256 with VONAGE_SIGNATURE_SECRET, and OpenAPI has no security scheme for a field of the body. A receipt that is repeated, " +
      "late, not final or about an unknown message gets 200 and changes nothing. 404 unless PUBLIC_URL and " +
      "VONAGE_SIGNATURE_SECRET are set.",
  },
  "POST /otp/receipts/http": {
    summary: "Take a delivery receipt of another gateway",
    description:
      "For gateways behind the provider http. Sign the request as Standard Webhooks describes it, at most five minutes before. A receipt " +
      "that is repeated, late or about an unknown message gets 200 and changes nothing. 404 unless PUBLIC_URL and " +
      "SMS_HTTP_SIGNING_SECRET are set.",
  },
};
