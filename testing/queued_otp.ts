/** SQL that queues a one-time password for a phone, as a request does. phone, awaited, at: SQL expressions. */
export const queueOtp = (phone: string, { purpose = "LOGIN", awaited = "true", at = "now()" } = {}): string =>
  `private.queue_otp(row(
    ${phone}, 'PHONE', '${purpose}', ${awaited}, ${at}, null, null, null, null, null, null, null
  )::private.send_request)`;
