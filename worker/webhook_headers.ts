import type { Webhook } from "standardwebhooks";

/**
 * The headers by which a receiver knows that a request is ours and new: one signature for each secret, so that a secret
 * can be replaced without a pause (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md,
 * read on 2026-11-28).
 * @param signers none: the request is not signed
 * @param id the same whenever the same message is sent, so that a receiver knows it again
 */
export function webhookHeaders(signers: Webhook[], id: string, payload: string): Record<string, string> {
  if (signers.length === 0) return {};
  const now = new Date();
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signers.map((signer) => signer.sign(id, now, payload)).join(" "),
  };
}
