import { z } from "zod";

/**
 * The fields of delivery receipts. A vendor repeats a refused receipt for hours, so a field of an unusual form counts
 * as missing instead.
 */
const code = (example: string, description: string) =>
  z
    .string()
    .regex(/^[\w.:-]{1,100}$/)
    .nullable()
    .default(null)
    .catch(null)
    .meta({ examples: [example], description });

/**
 * https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks; calls have Call… instead.
 */
export const twilioReceipt = z
  .object({
    MessageSid: code("SM0123456789abcdef0123456789abcdef", "Twilio's id of the message."),
    MessageStatus: code("undelivered", "What became of it."),
    CallSid: code("CA0123456789abcdef0123456789abcdef", "Twilio's id of the call, in place of MessageSid."),
    CallStatus: code("completed", "What became of it, in place of MessageStatus."),
    ErrorCode: code("30005", "Twilio's code for a message that was not delivered."),
  })
  .meta({
    examples: [{ MessageSid: "SM0123456789abcdef0123456789abcdef", MessageStatus: "undelivered", ErrorCode: "30005" }],
  });

/** https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts */
export const vonageReceipt = z.object({
  messageId: code("aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab", "Vonage's id of the message."),
  status: code("delivered", "What became of it."),
  "err-code": code("0", "Vonage's code for why it was not delivered; 0: it was."),
  "client-ref": z
    .uuid()
    .nullable()
    .default(null)
    .catch(null)
    .meta({ description: "The id of the attempt, which the message was sent with." }),
  price: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,12})?$/)
    .nullable()
    .default(null)
    .catch(null)
    .meta({ description: "In euros.", examples: ["0.0333"] }),
  // The guard has checked it (receipt_guards.ts).
  sig: z.string().meta({
    description: "The signature of all other fields: HMAC-SHA-256, in hexadecimal.",
    examples: ["0f".repeat(32)],
  }),
});

const fault = { error: "INVALID_REQUEST" };
const required = {
  error: (issue: { input?: unknown }) => (issue.input === undefined ? "MISSING_FIELDS" : "INVALID_REQUEST"),
};

/** Our own format. The gateway's developers read the answer, so a wrong field is refused. */
export const httpReceipt = z.object({
  id: z.uuid(required).meta({ description: "id of the message, as the gateway got it." }),
  status: z
    .enum(["delivered", "undelivered"], required)
    .meta({ description: "What became of it.", examples: ["undelivered"] }),
  error: z
    .string(fault)
    .regex(/^[\w.:-]{1,100}$/, fault)
    .nullish()
    .meta({
      description: "The gateway's code for an undelivered message.",
      examples: ["unknown-subscriber"],
    }),
});
