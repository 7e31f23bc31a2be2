/** How an attempt to send ended. delivery.record_attempt defines what each means for limits and further attempts. */
export type Outcome = "sent" | "refused" | "declined" | "unreachable" | "uncertain";

/** SQL type delivery.message, which delivery.issue_otp_code returns. */
export interface Message {
  otp_id: string;
  provider: string;
  options: Record<string, unknown>;
  /** E.164; an email address where channel is email. */
  recipient: string;
  body: string;
  attempt_id: string;
  channel: "sms" | "whatsapp" | "voice" | "email";
  /** How long the vendor may take. */
  timeout_ms: number;
  /** How the body is encoded and billed as an SMS; null for other channels. */
  encoding: "GSM-7" | "UCS-2" | null;
  /** The code that the body contains, for templates that a vendor keeps; null for a notice. */
  code: string | null;
  /** ISO 3166 code of the phone's country, for the metrics; null where no decision to send was made. */
  country: string | null;
}

/** What is recorded about an attempt. */
export interface AttemptResult {
  outcome: Outcome;
  /**
   * The vendor's status and code. Must not contain the message, nor text of the vendor's response, which may repeat it.
   */
  reason?: string | undefined;
  vendorMessageId?: string | undefined;
  /** A decimal number, and its currency. */
  price?: string | undefined;
  currency?: string | undefined;
  /** The vendor's Retry-After, in seconds. */
  retryAfterSeconds?: number | undefined;
}

/** SQL type delivery.provider: a provider that the setting OTP_PROVIDER names. */
export interface ProviderInUse {
  name: string;
  options: Record<string, unknown>;
}
