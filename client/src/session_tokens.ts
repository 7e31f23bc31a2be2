/** The tokens of a session, as they are stored. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the tokens arrived, by this device's clock. */
  receivedAt: number;
}

/** The signed-in caller. */
export interface Session {
  id: string;
  userType: "guest" | "user";
  /** Null for a guest. */
  userId: string | null;
}

interface Claims {
  sid: string;
  sub: string;
  user_type: "guest" | "user";
  jti: string;
  iat: number;
  exp: number;
}

/** Headers take no other characters. */
const sendable = /^[\w.~+/=-]+$/;

/** Whether the value holds usable tokens: another program or version may have stored something else. */
export function areTokens(value: unknown): value is Tokens {
  const { accessToken, refreshToken, receivedAt } = (value ?? {}) as Partial<Record<keyof Tokens, unknown>>;
  return (
    [accessToken, refreshToken].every((token) => typeof token === "string" && sendable.test(token)) &&
    typeof receivedAt === "number"
  );
}

/** A refresh starts this long before the access token ends, or a tenth of a shorter lifetime. */
const marginMs = 60_000;

export function sessionOf({ accessToken }: Pick<Tokens, "accessToken">): Session {
  const { sid, sub, user_type } = claimsOf(accessToken);
  return { id: sid, userType: user_type, userId: user_type === "user" ? sub : null };
}

/** Tells these tokens from those before and after them. */
export const idOf = ({ accessToken }: Tokens): string => claimsOf(accessToken).jti;

/**
 * Whether the access token has ended or, with "soon", is about to. Its age is counted from when it arrived, so that a
 * wrong clock of the device does not matter: iat and exp, both by the server's clock, only say how long it lasts.
 */
export function hasEnded({ accessToken, receivedAt }: Tokens, when: "now" | "soon"): boolean {
  const { iat, exp } = claimsOf(accessToken);
  const lifetime = (exp - iat) * 1000;
  const margin = when === "soon" ? Math.min(marginMs, lifetime / 10) : 0;
  return Date.now() - receivedAt >= lifetime - margin;
}

/** The claims, unverified: only the server decides by them. */
function claimsOf(jwt: string): Claims {
  return JSON.parse(decodeBase64Url(jwt.split(".")[1] ?? "")) as Claims;
}

const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Decodes UTF-8 in base64url. React Native has no TextDecoder, and older versions no atob. */
function decodeBase64Url(text: string): string {
  let [encoded, buffer, bits] = ["", 0, 0];
  for (const sign of text) {
    buffer = (buffer << 6) | signs.indexOf(sign);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    encoded += `%${((buffer >> bits) & 255).toString(16).padStart(2, "0")}`;
  }
  return decodeURIComponent(encoded);
}
