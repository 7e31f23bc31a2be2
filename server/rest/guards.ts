import type { Request } from "express";
import type { ServerConfig } from "../../config/config.ts";
import type { ErrorCode } from "../http/problem.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { bearerToken, verify } from "../http/bearer.ts";
import { Problem } from "../http/problem.ts";
import { addLogFields } from "../http/log_fields.ts";
import { userOfClaims, type Claims } from "../tokens/claims.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { refreshTokenBody } from "./body_fields.ts";
import { parseBody } from "./parse_body.ts";

/** Decides who may call a route before its function runs, and gives that function the ids of the caller's token. */
export interface Guard<Ids extends object> {
  /** The security scheme of the OpenAPI document; undefined: anyone may call. */
  scheme: "accessToken" | "refreshToken" | "twilioSignature" | "webhookSignature" | undefined;
  errors: readonly ErrorCode[];
  /** The values of details.reason of INVALID_REQUEST that have a status of their own (server/http/problem.ts). */
  reasons?: readonly string[];
  /** Whether the server has the route. Left out: it always has. */
  isOffered?: (config: ReceiptConfig) => boolean;
  /** @throws Problem when the caller may not call the route */
  check: (request: Request, tokens: Tokens, config: ReceiptConfig) => Ids | Promise<Ids>;
}

/** The part of the configuration that decides about delivery receipts. */
export type ReceiptConfig = Pick<
  ServerConfig,
  "PUBLIC_URL" | "TWILIO_AUTH_TOKEN" | "VONAGE_SIGNATURE_SECRET" | "SMS_HTTP_SIGNING_SECRET"
>;

const anyone = { scheme: undefined, errors: [], check: () => ({}) } satisfies Guard<object>;

/** Authorization: Bearer with an access token. Whether its session is live, the SQL function looks up. */
const accessToken = {
  scheme: "accessToken",
  errors: ["SESSION_NOT_FOUND"],
  check: (request: Request, tokens: Tokens) => idsOf(request, verify(tokens, bearerToken(request), "access")),
} satisfies Guard<TokenIds>;

/** The refresh token is sent twice, in header and body, and both must be the same. */
const refreshToken = {
  scheme: "refreshToken",
  errors: ["SESSION_NOT_FOUND", "SESSION_MISMATCH"],
  check: (request: Request, tokens: Tokens) => {
    const token = bearerToken(request);
    if (!sameSecret(token, parseBody(refreshTokenBody, request.body).refresh_token))
      throw new Problem("SESSION_MISMATCH");
    return idsOf(request, verify(tokens, token, "refresh"));
  },
} satisfies Guard<TokenIds>;

export const guards = { anyone, accessToken, refreshToken };

interface TokenIds {
  session_id: string;
  refresh_token_id: string;
}

function idsOf(request: Request, claims: Claims): TokenIds {
  addLogFields(request, { userId: userOfClaims(claims) });
  return { session_id: claims.sid, refresh_token_id: claims.jti };
}
