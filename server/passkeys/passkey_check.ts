import { z } from "zod";
import { UndeclaredError } from "../database/api_answers.ts";
import type { NewPasskey, Passkeys } from "./passkeys.ts";

/** What a function takes when it is called again: what it asked about a passkey's answer. */
interface PasskeyCheck extends Partial<NewPasskey> {
  is_signed?: boolean;
}

/**
 * Makes a call, and a second one where its function asks whether a passkey has signed its challenge
 * (private.passkey_check_error).
 * @param body the request's body, which its route has checked
 */
export async function withPasskeyCheck<T>(
  passkeys: Pick<Passkeys, "isSigned" | "readNew">,
  body: unknown,
  attempt: (check: PasskeyCheck) => Promise<T>,
): Promise<T> {
  try {
    return await attempt({});
  } catch (error) {
    const asked = requestedCheck(error);
    if (asked === undefined) throw error;
    const { credential } = body as { credential: unknown };
    return attempt(await checkOf(passkeys, asked, credential));
  }
}

async function checkOf(
  passkeys: Pick<Passkeys, "isSigned" | "readNew">,
  { ceremony, challenge, public_key }: z.output<typeof request>["details"],
  credential: unknown,
): Promise<PasskeyCheck> {
  if (ceremony === "get") return { is_signed: await passkeys.isSigned(challenge, public_key, credential) };
  const made = await passkeys.readNew(challenge, credential);
  return { ...made, is_signed: made !== undefined };
}

const request = z.object({
  code: z.literal("PASSKEY_CHECK_REQUIRED"),
  details: z.object({
    ceremony: z.enum(["create", "get"]),
    challenge: z.string(),
    public_key: z
      .hex()
      .nullable()
      .transform((hex) => (hex === null ? null : Buffer.from(hex, "hex"))),
  }),
});

const requestedCheck = (error: unknown) =>
  error instanceof UndeclaredError ? request.safeParse(error.answered).data?.details : undefined;
