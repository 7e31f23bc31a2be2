import { z } from "zod";

/** Whether an issuer is an address, at which discovery is served (RFC 8414 section 2). */
export const isAddress = (issuer: string): boolean => /^https?:\/\//i.test(issuer);

/** JWT_ISSUER: any name, or the https address at which clients find the keys. */
export const issuer = z.string().refine((text) => {
  if (!isAddress(text)) return true;
  const url = URL.parse(text);
  // Clients compare issuers as text: as the address is written here, so it stands in tokens.
  return url !== null && [url.origin, url.origin + url.pathname].includes(text);
}, "must be a name, or an address without user name, query, fragment, the scheme's default port or capitals in its host");

interface Variables {
  NODE_ENV: string;
  JWT_ISSUER?: string;
}

/** Makes a schema refuse an unencrypted issuer in production, beside the faults of other variables. */
export const requireSafeIssuer = <Schema extends z.ZodType<Variables>>(schema: Schema): Schema =>
  schema.refine(({ NODE_ENV, JWT_ISSUER }) => NODE_ENV !== "production" || !/^http:/i.test(JWT_ISSUER ?? ""), {
    path: ["JWT_ISSUER"],
    error: "must be https in production",
    when: () => true,
  });

/** In production, a line for the log if nobody can find this issuer's keys by its name. */
export const issuerWarnings = ({ NODE_ENV, JWT_ISSUER }: Required<Variables>): string[] =>
  NODE_ENV !== "production" || isAddress(JWT_ISSUER)
    ? []
    : [
        `JWT_ISSUER is ${JWT_ISSUER}, which is no address: libraries that look keys up by the issuer cannot verify ` +
          "tokens. Set it to the https:// address of this service (docs/verify-tokens.md); sessions then have to be opened anew.",
      ];
