import { z } from "zod";
import { UndeclaredError } from "../database/api_answers.ts";
import type { TotpSecrets } from "./totp_secrets.ts";

/** What a function takes when it is called again: the secrets that it asked for. */
interface OpenedSecrets {
  factor_ids?: string[];
  factor_secrets?: Buffer[];
}

/**
 * Makes a call, and a second one where its function asks for the secrets of apps, whose codes it computes
 * (private.factor_secrets_error).
 */
export async function withFactorSecrets<T>(
  totpSecrets: Pick<TotpSecrets, "openToUse">,
  attempt: (secrets: OpenedSecrets) => Promise<T>,
): Promise<T> {
  try {
    return await attempt({});
  } catch (error) {
    const factors = requestedFactors(error);
    if (factors === undefined) throw error;
    return attempt({
      factor_ids: factors.map(({ factor_id }) => factor_id),
      factor_secrets: factors.map(({ user_id, ...sealed }) => totpSecrets.openToUse(user_id, sealed)),
    });
  }
}

const request = z.object({
  code: z.literal("FACTOR_SECRETS_REQUIRED"),
  details: z.object({
    factors: z
      .array(
        z.object({
          factor_id: z.string(),
          user_id: z.string(),
          sealed_secret: z.hex().transform((hex) => Buffer.from(hex, "hex")),
          pepper_id: z.string(),
        }),
      )
      .nullable()
      .transform((factors) => factors ?? []),
  }),
});

const requestedFactors = (error: unknown) =>
  error instanceof UndeclaredError ? request.safeParse(error.answered).data?.details.factors : undefined;
