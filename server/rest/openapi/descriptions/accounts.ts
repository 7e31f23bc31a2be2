import type { Descriptions } from "./description.ts";

/** Routes of accounts, and of signing in by a password or a code. */
export const ofAccounts: Descriptions = {
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
};
