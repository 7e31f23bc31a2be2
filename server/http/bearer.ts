import type { IncomingMessage } from "node:http";
import type { Claims, TokenUse } from "../tokens/claims.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { Problem } from "../../http/problem.ts";

/** The values of all Authorization headers: node:http keeps the first. */
export const authorizationsOf = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_value, index) => rawHeaders[index - 1]?.toLowerCase() === "authorization" && index % 2 === 1);

export const hasAuthorization = (request: IncomingMessage): boolean => authorizationsOf(request).length > 0;

/** The one token of the Authorization header (RFC 6750 section 2.1). */
export function bearerToken(request: IncomingMessage): string {
  const headers = authorizationsOf(request);
  if (headers.length === 0) throw sessionNotFound("token_missing");
  // node:http keeps the first of several headers, while a proxy may have checked the last: two tokens are refused.
  const token = headers.length === 1 ? parseBearer(request.headers.authorization) : undefined;
  if (token === undefined) throw sessionNotFound("token_invalid");
  return token;
}

export const parseBearer = (header: unknown): string | undefined =>
  typeof header === "string" ? /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1] : undefined;

export function verify(tokens: Tokens, token: string, use: TokenUse): Claims {
  const verified = tokens.verify(token, use);
  if ("fault" in verified) throw sessionNotFound(verified.fault);
  return verified.claims;
}

export const sessionNotFound = (reason: string): Problem => new Problem("SESSION_NOT_FOUND", { reason });
