import jwt from "jsonwebtoken";
import type { Session } from "../database/api_answers.ts";
import type { SigningKey } from "../../config/secrets/signing_keys.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";
import { claimsSchema, type TokenUse, type Verified } from "./claims.ts";
import { hasuraVariables, hookClaimsOf, rolesOf } from "./hook_claims.ts";
import type { LiveKeys } from "./live_keys.ts";
import { cacheTokens } from "./token_cache.ts";

export interface TokenOptions {
  /** The first signs; a function where they change while the process runs. */
  keys: readonly SigningKey[] | LiveKeys;
  /** The keys of other servers that this one cannot open. */
  unopened?: (() => ReadonlyMap<string, string>) | undefined;
  issuer: string;
  audience: string;
  /** Claim client_id of access tokens (RFC 9068). */
  clientId: string;
  /** The claim of access tokens in which PostgREST and its kin look for the database role, and its values by ours. */
  databaseRole: { claim: string; values: Partial<Record<Session["role"], string | undefined>> };
  /** Whether to cache verified access tokens. */
  caches?: boolean;
}

export interface SignedTokens {
  access_token: string;
  refresh_token: string;
  access_token_expires_at: string;
  refresh_token_expires_at: string;
}

const hasuraNamespace = "https://hasura.io/jwt/claims";
/** RFC 9068 names access tokens in their header, so that no other kind of JWT is accepted as one. */
const headerTypes = { access: "at+jwt", refresh: "JWT" };
/** The claims of a hook (2 KiB, and the same as Hasura's variables) and a long RSA signature make our longest token. */
const maxTokenLength = 12_288;

export interface Tokens {
  sign: (session: Session) => SignedTokens;
  verify: (token: string, use: TokenUse) => Verified;
}

/**
 * Signs and verifies JWTs (RFC 7519): the first key signs, every key verifies, chosen by kid, each with its own
 * algorithm alone. Verifying throws UnavailableError for a token of a key that this server cannot open.
 */
export function createTokens(options: TokenOptions): Tokens {
  const { issuer, audience, clientId, databaseRole, caches = true } = options;
  const fixed = options.keys;
  const keys = typeof fixed === "function" ? fixed : () => fixed;
  // Refresh tokens are only for this service: a resource server that checks the audience accepts none as an access
  // token.
  const audiences = { access: audience, refresh: issuer };

  function sign(session: Session, use: TokenUse, id: string, expiresAt: string): [string, string] {
    const exp = Math.floor(Date.parse(expiresAt) / 1000);
    const claims = {
      // First, so that they replace none of ours.
      ...(use === "access" && hookClaimsOf(session)),
      sub: session.user_id ?? session.session_id,
      sid: session.session_id,
      role: session.role,
      user_type: session.user_type,
      token_use: use,
      jti: id,
      iss: issuer,
      aud: audiences[use],
      exp,
      ...authenticationClaims(session),
      ...(use === "access" && accessClaims(session)),
    };
    const [signingKey] = keys();
    if (!signingKey) throw new Error("no key signs tokens");
    const token = jwt.sign(claims, signingKey.privateKey, {
      algorithm: signingKey.algorithm,
      keyid: signingKey.kid,
      header: { alg: signingKey.algorithm, typ: headerTypes[use] },
    });
    return [token, new Date(exp * 1000).toISOString()];
  }

  function accessClaims(session: Session): Record<string, unknown> {
    const hookClaims = hookClaimsOf(session);
    if (databaseRole.claim in hookClaims)
      throw new Error(
        `hook.claims failed: it must not return the claim ${databaseRole.claim}, which CLAIMS_ROLE names`,
      );
    return {
      client_id: clientId,
      [databaseRole.claim]: databaseRole.values[session.role] ?? session.role,
      [hasuraNamespace]: { ...hasuraVariables(hookClaims), ...hasuraClaims(session) },
    };
  }

  function verify(token: string, use: TokenUse): Verified {
    const invalid = { fault: "token_invalid" } as const;
    if (token.length > maxTokenLength) return invalid;
    const header = decodeHeader(token);
    // A refusal would sign the user out, whose token another server has signed.
    if (options.unopened?.().has(header?.kid ?? ""))
      throw new UnavailableError(`the signing key ${header?.kid} of the token does not open here`);
    try {
      const key = keys().find(({ kid }) => kid === header?.kid);
      if (!key || header?.typ !== headerTypes[use]) return invalid;
      const expected = { algorithms: [key.algorithm], issuer, audience: audiences[use] };
      const parsed = claimsSchema.safeParse(jwt.verify(token, key.publicKey, expected));
      return parsed.success && parsed.data.token_use === use ? { claims: parsed.data } : invalid;
    } catch (error) {
      return error instanceof jwt.TokenExpiredError ? { fault: "token_expired" } : invalid;
    }
  }

  const verifyAccess = (token: string) => verify(token, "access");
  // A refresh token is rarely seen twice: a cache for them saved too little (bench/README.md).
  const verifiers = {
    access: caches ? cacheTokens(verifyAccess, keys) : verifyAccess,
    refresh: (token: string) => verify(token, "refresh"),
  };

  return {
    sign(session) {
      const [access_token, access_token_expires_at] = sign(
        session,
        "access",
        session.access_token_id,
        session.access_token_expires_at,
      );
      const [refresh_token, refresh_token_expires_at] = sign(
        session,
        "refresh",
        session.refresh_token_id,
        session.refresh_token_expires_at,
      );
      return { access_token, refresh_token, access_token_expires_at, refresh_token_expires_at };
    },
    verify: (token, use) => verifiers[use](token),
  };
}

function decodeHeader(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    return undefined;
  }
}

interface AuthenticationClaims {
  amr?: string[];
  acr?: string;
  auth_time?: number;
}

/** RFC 8176 and OpenID Connect: how the user signed in, how strongly, and when. A refresh keeps all three. */
function authenticationClaims({ amr, acr, authenticated_at }: Session): AuthenticationClaims {
  if (amr === null || acr === null || authenticated_at === null) return {};
  return { amr, acr, auth_time: Math.floor(Date.parse(authenticated_at) / 1000) };
}

/** The claims by which a Hasura engine gives a caller its role and its rows. */
function hasuraClaims(session: Session): Record<string, unknown> {
  return {
    "x-hasura-default-role": session.role,
    "x-hasura-allowed-roles": [session.role, ...rolesOf(session)],
    "x-hasura-session-id": session.session_id,
    ...(session.user_id !== null && { "x-hasura-user-id": session.user_id }),
  };
}
