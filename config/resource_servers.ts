import type { z } from "zod";

/** A program that may ask whether a token is live, and end its session. */
export interface ResourceServer {
  name: string;
  secret: string;
}

/** Beyond these, configuration should be a file of another kind. */
const most = 100;
const form = /^(?<name>[\w.-]{1,64}):(?<secret>[A-Za-z0-9+/=_.~-]{32,256})$/;

/**
 * Parses RESOURCE_SERVERS: name:secret, separated by commas. A name may occur twice, so that its secret can be replaced
 * without a pause: both are valid meanwhile.
 */
export function parseResourceServers(text: string, context: z.RefinementCtx): ResourceServer[] {
  const servers = text.split(",").flatMap((item) => {
    const { name = "", secret = "" } = form.exec(item.trim())?.groups ?? {};
    return name === "" || new Set(secret).size < 8 ? [] : { name, secret };
  });
  const count = text.split(",").length;
  if (servers.length < count || count > most)
    context.addIssue({
      code: "custom",
      // Not which one: the text is a secret.
      message:
        `must be at most ${most} of name:secret, separated by commas: a name of 1 to 64 letters, digits or any of _ . -, ` +
        "and a secret of 32 to 256 letters, digits or any of + / = _ . ~ -, at least 8 of them different",
    });
  return servers;
}
