import { memoryTokenStorage, type TokenStorage } from "../src/index.ts";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = (): number => Math.floor(Date.now() / 1000);

/** An access token that lasts for an hour. */
export const accessToken = (claims: object = {}): string =>
  [{}, { sid: "session", sub: "user", user_type: "user", iat: now(), exp: now() + 3_600, ...claims }, {}]
    .map(part)
    .join(".");

/** A storage with a session whose access token has ended. */
export function endedSession(changes: object = {}): TokenStorage {
  const storage = memoryTokenStorage();
  const tokens = { accessToken: accessToken(), refreshToken: "refresh.token.1", receivedAt: 0 };
  void storage.write(JSON.stringify({ ...tokens, ...changes }));
  return storage;
}

export const refused = (status: number, code: string, details: object | null = null): Response =>
  Response.json({ error: { code, message: "No.", details } }, { status });

export const refreshed = (): Response =>
  Response.json({ data: { access_token: accessToken(), refresh_token: "refresh.token.2" }, meta: {} });

/** A fetch whose requests are answered here. */
export function fakeFetch(answer: (request: Request) => Response) {
  const requests: Request[] = [];
  const fakedFetch: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    requests.push(request);
    return Promise.resolve(answer(request));
  };
  return { requests, fetch: fakedFetch };
}
