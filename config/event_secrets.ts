import type { z } from "zod";
import { signingSecret } from "./fields.ts";

const form = /^(?<name>[\w.-]{1,64}):(?<secret>whsec_.+)$/;
const mostOfAName = 2;
const minDifferentBytes = 8;

/** A long secret of few different bytes is easy to guess. */
const isStrong = (secret: string): boolean =>
  signingSecret.safeParse(secret).success &&
  new Set(Buffer.from(secret.replace("whsec_", ""), "base64")).size >= minDifferentBytes;

/** A secret by which webhooks of events are signed. */
export interface EventSecret {
  name: string;
  secret: string;
}

/**
 * Parses EVENT_SECRETS: name:secret, separated by commas. A name may occur twice, so that its secret can be replaced
 * without a pause: each webhook carries both signatures meanwhile, first that of the secret named first.
 */
export function parseEventSecrets(text: string, context: z.RefinementCtx): EventSecret[] {
  const secrets = text.split(",").map((item) => {
    const { name = "", secret = "" } = form.exec(item.trim())?.groups ?? {};
    return { name, secret };
  });
  const byName = Map.groupBy(secrets, ({ name }) => name);
  if (
    !secrets.every(({ secret }) => isStrong(secret)) ||
    [...byName.values()].some(({ length }) => length > mostOfAName)
  )
    context.addIssue({
      code: "custom",
      // Not which one: the text is a secret.
      message:
        "must be name:secret, separated by commas, a name at most twice: a name of 1 to 64 letters, digits or any of _ . -, " +
        "and a secret of whsec_ and 24 to 64 bytes in base64, at least 8 of them different",
    });
  return secrets;
}
