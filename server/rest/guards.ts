import type { Request } from "express";
import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Arguments } from "../database.ts";
import { Problem } from "./errors.ts";
import type { Claims, Tokens, TokenUse } from "./tokens.ts";

/** Decides who may call a route before its function is called, and gives that function the ids it goes by. */
export type Guard = (request: Request, tokens: Tokens) => Arguments;

export const guards = {
  anyone: () => ({}),

  /** Authorization: Bearer with an access token. Whether its session lives, the SQL function looks up. */
  accessToken: (request, tokens) => idsOf(verify(tokens, bearerToken(request), "access")),

  /** The refresh token comes twice, in header and body, and both must be the same. */
  refreshToken: (request, tokens) => {
    const token = bearerToken(request);
    const { refresh_token: inBody } = (request.body ?? {}) as { refresh_token?: unknown };
    // A missing or malformed field is answered by the input's schema, which is asked next.
    if (typeof inBody !== "string" || inBody.trim() === "") return {};
    if (!sameSecret(token, inBody)) throw new Problem("SESSION_MISMATCH");
    return idsOf(verify(tokens, token, "refresh"));
  },
} satisfies Record<string, Guard>;

/** The one token of the Authorization header (RFC 6750 section 2.1). */
export function bearerToken(request: IncomingMessage): string {
  const given = request.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "authorization",
  );
  if (given.length === 0) throw sessionNotFound("token_missing");
  // node:http keeps the first of several; whoever sends two may have been made to.
  const token = given.length === 1 ? parseBearer(request.headers.authorization) : undefined;
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

/** Hashed first, so that neither time nor an exception tells where or whether the lengths differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(a), digest(b));
}

const idsOf = ({ sid, jti }: Claims): Arguments => ({ session_id: sid, refresh_token_id: jti });
