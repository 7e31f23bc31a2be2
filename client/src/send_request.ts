/** A response whose body has arrived. */
export interface Answer {
  status: number;
  ok: boolean;
  headers: Headers;
  /** The parsed JSON; undefined if the body is something else. */
  body: unknown;
}

export interface SendOptions {
  method: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as bearer token. */
  token?: string;
  signal?: AbortSignal | undefined;
}

/** Thrown by a request that got no response, or only a part of one. */
export class NoResponse extends Error {
  constructor(cause: unknown) {
    const { message } = (cause ?? {}) as Partial<Error>;
    super(message || "The request failed.");
    // Older engines of React Native ignore the option cause.
    this.cause = cause;
  }
}

/**
 * Sends a request to a path of the service.
 * @throws NoResponse
 */
export type Send = (path: string, options: SendOptions) => Promise<Answer>;

export function createSend(url: string, ownFetch: typeof fetch | undefined): Send {
  const redirect = redirectMode();
  return async (path, { method, headers: ownHeaders = {}, body, token, signal }) => {
    const headers = new Headers(body === undefined ? {} : { "Content-Type": "application/json" });
    for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value);
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    const init: RequestInit = { method, headers, redirect };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    // Called without an object: the browser's fetch refuses any other `this`.
    const request = ownFetch ?? fetch;
    try {
      const response = await request(url + path, init);
      const { status, ok } = response;
      return { status, ok, headers: response.headers, body: parse(await response.text()) };
    } catch (cause) {
      throw isProgrammingFault(cause) ? cause : new NoResponse(cause);
    }
  };
}

/**
 * The service never redirects. Following another program's redirect would send it the passwords and refresh tokens in
 * request bodies. Cloudflare Workers refuse "error" (workerd, src/workerd/api/http.c++, checked 2026-11-27): there the
 * redirect is the response.
 */
function redirectMode(): RequestRedirect {
  try {
    return new Request("https://localhost", { redirect: "error" }).redirect;
  } catch {
    return "manual";
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether an engine's words describe a fault in the fetch that the application passed. No engine describes the network
 * so.
 */
function isProgrammingFault(cause: unknown): boolean {
  const { name, message = "" } = (cause ?? {}) as Partial<Error>;
  return (
    name === "ReferenceError" ||
    /\bis not (an? (function|object|constructor)|defined|iterable)\b|\bof (undefined|null)\b/.test(message)
  );
}
