import type { Request } from "express";
import type { Arguments } from "../database/database.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { bearerToken, verify } from "../http/bearer.ts";
import { Problem } from "../http/problem.ts";
import type { Claims } from "../tokens/claims.ts";
import type { Tokens } from "../tokens/tokens.ts";

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

const idsOf = ({ sid, jti }: Claims): Arguments => ({ session_id: sid, refresh_token_id: jti });
