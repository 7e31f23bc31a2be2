import type { Request } from "express";
import type { z } from "zod";
import type { ServerConfig } from "../../config/config.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { bearerToken, hasAuthorization, verify } from "../http/bearer.ts";
import { Problem, type ErrorCode, type Reason } from "../../http/problem.ts";
import { contextOf } from "../../http/request_context.ts";
import { userOfClaims, type Claims } from "../tokens/claims.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { refreshTokenBody } from "./body_fields.ts";
import { parseBody } from "./parse_body.ts";

/** A header, or a parameter of the query, that a guard reads besides the header of its security scheme. */
export interface GuardParameter {
  in: "header" | "query";
  name: string;
  required: boolean;
  schema: z.ZodType<string>;
}

/** Decides who may call a route before its function runs, and gives that function the ids of the caller's token. */
export interface Guard<Ids extends object> {
  /** The security scheme of the OpenAPI document; undefined: anyone may call. */
  scheme: "accessToken" | "refreshToken" | "twilioSignature" | "webhookSignature" | undefined;
  /** Left out: it reads none. */
  parameters?: readonly GuardParameter[];
  /** Whether a request without a token passes. Left out: it does not. */
  isOptional?: true;
  errors: readonly ErrorCode[];
  /** The values of details.reason that have a status of their own. */
  reasons?: readonly Reason[];
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

/** Authorization: Bearer with an access token. The SQL function checks that its session is live. */
const accessToken = {
  scheme: "accessToken",
  errors: ["SESSION_NOT_FOUND"],
  check: (request: Request, tokens: Tokens) => idsOf(verifyAccess(request, tokens)),
} satisfies Guard<TokenIds>;

/** The refresh token is sent twice, in header and body, and both must be the same. */
const refreshToken = {
  scheme: "refreshToken",
  errors: ["SESSION_NOT_FOUND", "SESSION_MISMATCH"],
  check: (request: Request, tokens: Tokens) => {
    const token = bearerToken(request);
    if (!sameSecret(token, parseBody(refreshTokenBody, request.body).refresh_token))
      throw new Problem("SESSION_MISMATCH");
    return idsOf(logged(request, verify(tokens, token, "refresh")));
  },
} satisfies Guard<TokenIds>;

/** An access token of a user. Its function starts with private.caller_error. */
const userToken = {
  scheme: "accessToken",
  errors: ["SESSION_NOT_FOUND"],
  reasons: ["user_session_required"],
  check: (request: Request, tokens: Tokens) => {
    const claims = verifyAccess(request, tokens);
    const user_id = userOfClaims(claims);
    if (user_id === undefined) throw new Problem("INVALID_REQUEST", { reason: "user_session_required" });
    return { session_id: claims.sid, user_id };
  },
} satisfies Guard<UserIds>;

/** No token, or the access token of the guest who signs in (private.promote_guest). */
const guestTokenOrNone = {
  scheme: "accessToken",
  isOptional: true,
  errors: ["SESSION_NOT_FOUND", "SESSION_MISMATCH"],
  check: (request: Request, tokens: Tokens): GuestId => {
    if (!hasAuthorization(request)) return { guest_session_id: null };
    const claims = verifyAccess(request, tokens);
    if (userOfClaims(claims) !== undefined) throw new Problem("SESSION_MISMATCH");
    return { guest_session_id: claims.sid };
  },
} satisfies Guard<GuestId>;

export const guards = { anyone, accessToken, refreshToken, userToken, guestTokenOrNone };

interface GuestId {
  guest_session_id: string | null;
}

interface UserIds {
  session_id: string;
  user_id: string;
}

interface TokenIds {
  session_id: string;
  refresh_token_id: string;
}

const idsOf = ({ sid, jti }: Claims): TokenIds => ({ session_id: sid, refresh_token_id: jti });

const verifyAccess = (request: Request, tokens: Tokens): Claims =>
  logged(request, verify(tokens, bearerToken(request), "access"));

function logged(request: Request, claims: Claims): Claims {
  contextOf(request).addLogFields({ userId: userOfClaims(claims) });
  return claims;
}
