import { createHash } from "node:crypto";
import { z } from "zod";
import type { ServerConfig } from "../../config/config.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../runtime/log.ts";

/** Longer than any provider takes to answer who still should. */
const timeoutMs = 2_000;
/** Verifications at once: a refused proof costs its client only the limit SEND_PROOF_FAILURES_PER_IP, and that later. */
const maxInFlight = { total: 128, perClient: 8 };

export const proofProviders = ["turnstile", "hcaptcha", "recaptcha"] as const;
type ProofProvider = (typeof proofProviders)[number];

type ProofConfig = Pick<
  ServerConfig,
  | `${Uppercase<ProofProvider>}_BASE_URL`
  | `${Uppercase<ProofProvider>}_SECRET_KEY`
  | `${Uppercase<ProofProvider>}_SITE_KEY`
>;

/** A proof that its provider was asked about. */
export interface VerifiedProof {
  proof_digest: Buffer;
  proof_is_good: boolean;
}

export interface SendProofs {
  /**
   * Has a provider verify a proof.
   * @param acceptOnFailure whether a proof is good that the provider does not verify in time
   * @throws Problem when too many verifications are in flight
   */
  verify: (request: {
    provider: ProofProvider;
    proof: string;
    client: string;
    acceptOnFailure: boolean;
  }) => Promise<VerifiedProof>;
  /** What a client is told that sent no proof, or one that is not good. */
  required: (provider: ProofProvider) => Problem;
}

/**
 * The answer of all three: a form with secret and response is posted, and JSON says whether the proof is good.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/,
 * https://docs.hcaptcha.com/#verify-the-user-response-server-side,
 * https://developers.google.com/recaptcha/docs/verify, read on 2026-11-28.
 */
const verdictSchema = z.object({
  success: z.boolean(),
  "error-codes": z.array(z.string()).optional().catch(undefined),
});

/** Captchas' proofs before a send. Which sends need one is SQL's decision (private.proof_error). */
export function createSendProofs(config: ProofConfig, log: Log): SendProofs {
  const inFlight = new Map<string, number>();
  let total = 0;

  const settingsOf = (provider: ProofProvider) => {
    const name = provider.toUpperCase() as Uppercase<ProofProvider>;
    return {
      url: `${config[`${name}_BASE_URL`].replace(/\/$/, "")}/siteverify`,
      secretKey: config[`${name}_SECRET_KEY`],
      siteKey: config[`${name}_SITE_KEY`] ?? null,
    };
  };

  /** Resolves with undefined when the provider does not say. */
  async function ask(provider: ProofProvider, proof: string): Promise<boolean | undefined> {
    const { url, secretKey } = settingsOf(provider);
    if (secretKey === undefined) {
      log.error({ provider }, `no proof can be verified: ${provider.toUpperCase()}_SECRET_KEY is not set`);
      return undefined;
    }
    try {
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams({ secret: secretKey, response: proof }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const verdict = response.status === 200 ? verdictSchema.safeParse(parseJson(text)).data : undefined;
      if (verdict === undefined)
        log.warn({ provider, status: response.status }, "the captcha's answer is not a verdict");
      else if (!verdict.success)
        log.info({ provider, reasons: verdict["error-codes"]?.filter(isWord).slice(0, 5) }, "a proof was refused");
      return verdict?.success;
    } catch (error) {
      log.warn({ provider, reason: reasonOf(error) }, "the captcha gave no answer");
      return undefined;
    }
  }

  return {
    async verify({ provider, proof, client, acceptOnFailure }) {
      const own = inFlight.get(client) ?? 0;
      if (total >= maxInFlight.total || own >= maxInFlight.perClient) throw new Problem("SERVICE_UNAVAILABLE");
      inFlight.set(client, own + 1);
      total++;
      try {
        return {
          proof_digest: createHash("sha256").update(`${provider}:${proof}`).digest(),
          proof_is_good: (await ask(provider, proof)) ?? acceptOnFailure,
        };
      } finally {
        total--;
        const left = (inFlight.get(client) ?? 1) - 1;
        if (left > 0) inFlight.set(client, left);
        else inFlight.delete(client);
      }
    },
    required: (provider) =>
      new Problem("INVALID_REQUEST", { reason: "proof_required", provider, siteKey: settingsOf(provider).siteKey }),
  };
}

/** The vendor's own text may quote anything: only words are logged. */
const isWord = (text: string): boolean => /^[\w.:-]{1,100}$/.test(text);

/** fetch throws the same TypeError for everything: its cause says whether name, address or certificate was wrong. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Partial<Error>;
  return (cause as { code?: string } | undefined)?.code ?? name ?? "unknown";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
