import type { Request } from "express";
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
  scheme: "accessToken" | "refreshToken" | undefined;
  errors: readonly ErrorCode[];
  /** @throws Problem when the caller may not call the route */
  check: (request: Request, tokens: Tokens) => Ids;
}

const anyone: Guard<object> = { scheme: undefined, errors: [], check: () => ({}) };

/** Authorization: Bearer with an access token. Whether its session is live, the SQL function looks up. */
const accessToken: Guard<TokenIds> = {
  scheme: "accessToken",
  errors: ["SESSION_NOT_FOUND"],
  check: (request, tokens) => idsOf(request, verify(tokens, bearerToken(request), "access")),
};

/** The refresh token is sent twice, in header and body, and both must be the same. */
const refreshToken: Guard<TokenIds> = {
  scheme: "refreshToken",
  errors: ["SESSION_NOT_FOUND", "SESSION_MISMATCH"],
  check: (request, tokens) => {
    const token = bearerToken(request);
    if (!sameSecret(token, parseBody(refreshTokenBody, request.body).refresh_token))
      throw new Problem("SESSION_MISMATCH");
    return idsOf(request, verify(tokens, token, "refresh"));
  },
};

export const guards = { anyone, accessToken, refreshToken };

interface TokenIds {
  session_id: string;
  refresh_token_id: string;
}

function idsOf(request: Request, claims: Claims): TokenIds {
  addLogFields(request, { userId: userOfClaims(claims) });
  return { session_id: claims.sid, refresh_token_id: claims.jti };
}
