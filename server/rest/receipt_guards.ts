import { createHmac, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { z } from "zod";
import { receiptUrl } from "../../config/public_url.ts";
import { contextOf } from "../../http/request_context.ts";
import { Problem } from "../../http/problem.ts";
import type { Guard, GuardParameter, ReceiptConfig } from "./guards.ts";

/** The provider of a receipt, which the vendor's signature proves. */
interface Sender<Provider extends string> {
  provider: Provider;
}

type SecretName = Exclude<keyof ReceiptConfig, "PUBLIC_URL">;

/** The secrets that verify a signature. */
interface Key {
  secret: string;
  publicUrl: string;
}

const invalid = (): Problem => new Problem("INVALID_REQUEST", { reason: "signature_invalid" });

/**
 * Creates a guard that accepts requests that a vendor has signed. Without the secret, or PUBLIC_URL, the route does not
 * exist.
 */
function signedBy<Ids extends object>(
  secretName: SecretName,
  { scheme, parameters }: Pick<Guard<Ids>, "scheme" | "parameters">,
  verify: (request: Request, key: Key) => Ids | Promise<Ids>,
): Guard<Ids> {
  const keyOf = ({ PUBLIC_URL, [secretName]: secret }: ReceiptConfig): Key | undefined =>
    PUBLIC_URL && secret ? { publicUrl: PUBLIC_URL, secret } : undefined;
  return {
    scheme,
    ...(parameters && { parameters }),
    errors: [],
    reasons: ["signature_invalid", "not_found"],
    isOffered: (config) => keyOf(config) !== undefined,
    check: (request, _tokens, config) => {
      const key = keyOf(config);
      if (!key) throw new Problem("INVALID_REQUEST", { reason: "not_found" });
      return verify(request, key);
    },
  };
}

/**
 * Loads only the part of Twilio's library that verifies: the whole would block the server for half a second and take 30
 * MB.
 */
const loadTwilio = () => import("twilio/lib/webhooks/webhooks.js");
const loadWebhooks = () => import("standardwebhooks");
let twilioLibrary: ReturnType<typeof loadTwilio> | undefined;
let webhookLibrary: ReturnType<typeof loadWebhooks> | undefined;

const attempt: GuardParameter = {
  in: "query",
  name: "attempt",
  required: false,
  schema: z.uuid().meta({
    description: "The id of the attempt: part of the URL that Twilio was given.",
    examples: ["0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f"],
  }),
};

const formFields = z.record(z.string(), z.unknown());

/** Twilio signs the URL that we passed to it, its query included, and the fields of the form. */
const twilio = signedBy(
  "TWILIO_AUTH_TOKEN",
  { scheme: "twilioSignature", parameters: [attempt] },
  async (request, { secret, publicUrl }): Promise<Sender<"twilio"> & { reference: string | null }> => {
    const signature = request.get("x-twilio-signature");
    if (!signature) throw invalid();
    const { validateRequest } = await (twilioLibrary ??= loadTwilio());
    const url = receiptUrl(publicUrl, "twilio") + queryOf(request);
    const fields = formFields.safeParse(request.body).data ?? {};
    if (!validateRequest(secret, signature, url, fields)) throw invalid();
    return {
      provider: "twilio",
      reference: attempt.schema.safeParse(request.query[attempt.name]).data ?? null,
    };
  },
);

const vonageFields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/**
 * Vonage signs all fields and puts the result beside them
 * (https://developer.vonage.com/en/getting-started/concepts/signing-messages). Its own library also verifies this, but
 * compares in variable time and fails on numbers.
 */
const vonage = signedBy("VONAGE_SIGNATURE_SECRET", { scheme: undefined }, (request, { secret }): Sender<"vonage"> => {
  const { sig, ...fields } = vonageFields.safeParse(request.body).data ?? {};
  if (typeof sig !== "string" || !/^[0-9a-f]{64}$/i.test(sig)) throw invalid();
  const text = Object.keys(fields)
    .sort()
    .map((name) => `&${name}=${String(fields[name]).replaceAll(/[&=]/g, "_")}`)
    .join("");
  const expected = createHmac("sha256", secret).update(text).digest();
  if (!timingSafeEqual(Buffer.from(sig, "hex"), expected)) throw invalid();
  return { provider: "vonage" };
});

const webhookHeader = (name: string, description: string, example: string): GuardParameter => ({
  in: "header",
  name,
  required: true,
  schema: z.string().meta({ description, examples: [example] }),
});
/** Signed together with the body. */
const signedHeaders = [
  webhookHeader("webhook-id", "The message's id, the same each time it is sent.", "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"),
  webhookHeader("webhook-timestamp", "When it was sent, in seconds since 1970.", "1769860800"),
];

/** Every other gateway signs as Standard Webhooks. A signature is valid for five minutes. */
const http = signedBy(
  "SMS_HTTP_SIGNING_SECRET",
  { scheme: "webhookSignature", parameters: signedHeaders },
  async (request, { secret }): Promise<Sender<"http">> => {
    const names = [...signedHeaders.map(({ name }) => name), "webhook-signature"];
    const headers = names.map((name) => [name, request.get(name) ?? ""] as const);
    if (headers.some(([, value]) => value === "")) throw invalid();
    const { Webhook, WebhookVerificationError } = await (webhookLibrary ??= loadWebhooks());
    try {
      new Webhook(secret).verify(contextOf(request).signedBytes, Object.fromEntries(headers), { jsonParse: false });
    } catch (error) {
      if (error instanceof WebhookVerificationError) throw invalid();
      throw error;
    }
    return { provider: "http" };
  },
);

/** Guards of the routes to which vendors send delivery receipts. */
export const receiptGuards = { twilio, vonage, http };

const queryOf = ({ originalUrl }: Request): string => {
  const start = originalUrl.indexOf("?");
  return start === -1 ? "" : originalUrl.slice(start);
};
