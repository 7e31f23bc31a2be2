import { z } from "zod";
import type { FactorList, NewTotp, RecoveryCodes } from "../../database/api_answers.ts";
import { otpauthUri, toBase32 } from "../../factors/otpauth_uri.ts";
import { id, time, toTime } from "./answer_fields.ts";
import { presenter } from "./presenter.ts";

const factorId = id.meta({ description: "The second factor." });
const factor = z
  .object({
    factor_id: factorId,
    kind: z.enum(["totp", "passkey"]).meta({ examples: ["totp"], description: "An authenticator app, or a passkey." }),
    label: z
      .string()
      .nullable()
      .meta({ examples: ["Ada's phone"], description: "The name that its user gave it." }),
    created_at: time.meta({ description: "When it was added." }),
    last_used_at: time.nullable().meta({ examples: [null], description: "When it was last used; null: never." }),
    confirmed: z
      .boolean()
      .meta({ examples: [true], description: "Whether its first code was right: until then it does not count." }),
  })
  .meta({ title: "Factor" });

export const factorList = presenter(
  "FactorList",
  z.object({ factors: z.array(factor).meta({ description: "Second factors, newest first." }) }),
  ({ factors }: FactorList) => ({
    factors: factors.map((listed) => ({
      ...listed,
      created_at: toTime(listed.created_at),
      last_used_at: listed.last_used_at === null ? null : toTime(listed.last_used_at),
    })),
  }),
);

export const newTotp = presenter(
  "NewTotpFactor",
  z.object({
    factor_id: factorId,
    secret: z.string().meta({
      examples: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
      description: "For typing into an app. Nobody can read it again.",
    }),
    uri: z.string().meta({
      examples: ["otpauth://totp/latchkey:%2B12125550123?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=latchkey"],
      description: "The same for a QR code.",
    }),
  }),
  ({ factor_id, user_id, account_name, sealed_secret }: NewTotp, { totpSecrets, config }) => {
    const sealed = { sealed_secret: Buffer.from(sealed_secret, "hex"), pepper_id: totpSecrets.pepperId };
    const secret = toBase32(totpSecrets.open(user_id, sealed));
    return { factor_id, secret, uri: otpauthUri(config.JWT_ISSUER, account_name, secret) };
  },
);

const codes = z.array(z.string()).meta({
  examples: [["7Q4ZK-M2XWA"]],
  description: "Ten codes that replace a second factor, once each. Nobody can read them again.",
});

/** No key where none were made. */
export const confirmedFactor = presenter(
  "ConfirmedFactor",
  z.object({ recovery_codes: codes.optional().meta({ description: "With the account's first second factor." }) }),
  ({ recovery_codes }: RecoveryCodes) => (recovery_codes === null ? {} : { recovery_codes }),
);

export const recoveryCodes = presenter(
  "RecoveryCodes",
  z.object({ recovery_codes: codes }),
  ({ recovery_codes }: RecoveryCodes) => ({ recovery_codes: recovery_codes ?? [] }),
);
