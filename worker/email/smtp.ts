import { urlToHttpOptions } from "node:url";
import type { WorkerConfig } from "../../config/config.ts";
import type { AttemptResult } from "../message.ts";
import type { Provider } from "../sms/provider.ts";
import { missingVariables, vendorTimeoutMs } from "../sms/vendor_errors.ts";

/** smtp of OTP_PROVIDER; private.provider_options_fault checks it. */
interface SmtpOptions {
  from?: string;
  subject?: string;
}

/** Creates the provider that sends codes for an EMAIL by SMTP, if the setting EMAIL_DELIVERY is on. */
export function createSmtpProvider(
  config: Pick<WorkerConfig, "SMTP_URL" | "production">,
  timeoutMs = vendorTimeoutMs,
): Provider {
  let loading: ReturnType<typeof loadLibrary> | undefined;
  return {
    unusableReason: (options) =>
      missingVariables({ SMTP_URL: config.SMTP_URL }) ??
      (!options || typeof options.from === "string" ? undefined : "OTP_PROVIDER has no smtp.from"),
    async send({ otp_id, options, recipient, body, code }) {
      const { from, subject = "Your code" } = options as SmtpOptions;
      const transport = await (loading ??= loadLibrary(config, timeoutMs));
      try {
        // An address as an object is never parsed: it cannot name a second recipient.
        const { messageId } = await transport.sendMail({
          from,
          to: { name: "", address: recipient },
          // smtp.subject is that of codes.
          subject: code === null ? "Your account" : subject,
          text: body,
          // RFC 3834: suppresses out-of-office replies.
          headers: { "Auto-Submitted": "auto-generated", "X-Entity-Ref-ID": otp_id },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { outcome: "sent", vendorMessageId: messageId };
      } catch (error) {
        return resultOfError(error);
      }
    },
  };
}

/** @param error of the library: it has the server's reply, RFC 5321 section 4.2, or the error of the connection */
function resultOfError(error: unknown): AttemptResult {
  const { responseCode, code, command, syscall } = error as {
    responseCode?: number;
    code?: string;
    command?: string;
    syscall?: string;
  };
  if (responseCode !== undefined) {
    const reason = `SMTP ${responseCode}`;
    const isOurs = code === "EAUTH" || ["CONN", "STARTTLS", "MAIL FROM"].includes(command ?? "");
    // 4xx: the server did not take the message; a later attempt may succeed.
    return { outcome: isOurs ? "declined" : responseCode >= 500 ? "refused" : "unreachable", reason };
  }
  if (code === "EAUTH" || code === "ETLS") return { outcome: "declined", reason: code };
  // The library does not report what a lost connection had sent. Only if the connection could not be opened was
  // certainly nothing sent.
  if (syscall === "connect" || code === "EDNS") return { outcome: "unreachable", reason: code ?? "ESOCKET" };
  return { outcome: "uncertain", reason: code ?? (error as Error).name };
}

/** Loads nodemailer when it is used for the first time. */
async function loadLibrary({ SMTP_URL, production }: Pick<WorkerConfig, "SMTP_URL" | "production">, timeoutMs: number) {
  const { createTransport } = await import("nodemailer");
  const url = new URL(SMTP_URL ?? "");
  const { protocol, port, username, password } = url;
  const secure = protocol === "smtps:";
  return createTransport({
    // Removes the brackets of an IPv6 address.
    host: urlToHttpOptions(url).hostname ?? "",
    port: Number(port) || (secure ? 465 : 587),
    secure,
    pool: true,
    maxConnections: 5,
    // Codes do not cross a network in clear.
    requireTLS: production && !secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    socketTimeout: timeoutMs,
  });
}
