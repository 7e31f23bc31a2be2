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

/** A WebSocket whose server acknowledges, and answers each subscription with `{ rows: 1 }`. */
export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = FakeSocket.CONNECTING;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;

  constructor() {
    queueMicrotask(() => {
      this.readyState = FakeSocket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    const { type, id } = JSON.parse(text) as { type: string; id?: string };
    if (type === "connection_init") this.answer({ type: "connection_ack" });
    if (type === "subscribe") this.answer({ type: "next", id, payload: { data: { rows: 1 } } });
  }

  close(code = 1000, reason = ""): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code, reason });
  }

  private answer(message: object): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }
}
