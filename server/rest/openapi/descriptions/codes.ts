import type { Descriptions } from "./description.ts";

/** Routes of one-time passwords and their delivery receipts. */
export const ofCodes: Descriptions = {
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
