import type { z } from "zod";

/** A secret and the name of its holder. */
export interface NamedSecret {
  name: string;
  secret: string;
}

const form = /^(?<name>[\w.-]{1,64}):(?<secret>[A-Za-z0-9+/=_.~-]{32,256})$/;

/**
 * Parses name:secret, separated by commas. A name may occur twice, so that its secret can be replaced without a pause:
 * both are valid meanwhile. The issue does not say which item is wrong: the text is a secret.
 * @param most how many there may be: beyond these, configuration should be a file of another kind
 */
export function parseNamedSecrets(text: string, context: z.RefinementCtx, most: number): NamedSecret[] {
  const parsed = text.split(",").map((item) => {
    const { name = "", secret = "" } = form.exec(item.trim())?.groups ?? {};
    return { name, secret };
  });
  if (parsed.length > most || parsed.some(({ secret }) => new Set(secret).size < 8))
    context.addIssue({
      code: "custom",
      message:
        `must be at most ${most} of name:secret, separated by commas: a name of 1 to 64 letters, digits or any of _ . -, ` +
        "and a secret of 32 to 256 letters, digits or any of + / = _ . ~ -, at least 8 of them different",
    });
  return parsed;
}
