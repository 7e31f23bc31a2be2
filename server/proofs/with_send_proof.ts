import { z } from "zod";
import { UndeclaredError } from "../database/api_answers.ts";
import { proofProviders, type SendProofs, type VerifiedProof } from "./send_proofs.ts";

/**
 * Makes a call, and a second one where its function asks for a captcha's proof (private.proof_error): outside of any
 * transaction, and only after the function has looked at the limits.
 * @param request.proof as the client sent it; null: none
 * @throws Problem proof_required
 */
export async function withSendProof<T>(
  proofs: SendProofs,
  { proof, client }: { proof: string | null; client: string },
  attempt: (proof: Partial<VerifiedProof>) => Promise<T>,
): Promise<T> {
  try {
    return await attempt({});
  } catch (error) {
    const needed = requestedProof(error);
    if (needed === undefined) throw error;
    const { provider, accept_on_failure: acceptOnFailure, may_verify } = needed;
    if (proof === null || !may_verify) throw proofs.required(provider);
    const verified = await proofs.verify({ provider, proof, client, acceptOnFailure });
    try {
      return await attempt(verified);
    } catch (again) {
      throw requestedProof(again) ? proofs.required(provider) : again;
    }
  }
}

const request = z.object({
  code: z.literal("PROOF_REQUIRED"),
  details: z.object({ provider: z.enum(proofProviders), accept_on_failure: z.boolean(), may_verify: z.boolean() }),
});

const requestedProof = (error: unknown) =>
  error instanceof UndeclaredError ? request.safeParse(error.answered).data?.details : undefined;
