import type { checkAgainstDocument } from "./openapi.ts";

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown>;
    meta: { message?: string; timestamp: string; path?: string; method?: string; duration?: number };
    error?: { message: string; code: string; details: Record<string, unknown> | null };
  };
  /** The error's code; undefined for a success. */
  code: string | undefined;
}

export interface Tokens {
  session_id: string;
  access_token: string;
  refresh_token: string;
}

/**
 * A client of the REST API that is written from the documents and shares no code with the server.
 */
export interface Client {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  delete: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  refresh: (refreshToken: string) => Promise<Answer>;
  sendOtp: (phone: string, purpose?: string, headers?: Record<string, string>) => Promise<Answer>;
}

/**
 * Creates a client of the REST API. A body that is a string is sent unchanged; any other body is sent as JSON.
 * @param baseUrl URL of the server without `/api/v1`
 * @param check for a server in another process: checkAnswersOf (answer_checks.ts) checks one in this process
 */
export function createRestClient(baseUrl: string, check?: typeof checkAgainstDocument): Client {
  const request = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, init);
    const { status, headers } = response;
    const text = await response.text();
    check?.(init.method ?? "GET", `/api/v1${path.split("?", 1)[0]}`, { status, headers, text });
    const body = JSON.parse(text) as Answer["body"];
    return { status, headers, body, code: body.error?.code };
  };
  const withBody =
    (method: string): Client["post"] =>
    (path, body, headers = {}) =>
      request(path, {
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
  const post = withBody("POST");
  return {
    get: (path, headers = {}) => request(path, { headers }),
    post,
    delete: withBody("DELETE"),
    refresh: (token) => post("/auth/session/refresh", { refresh_token: token }, bearer(token)),
    sendOtp: (phone, purpose = "SIGNUP", headers = {}) =>
      post("/otp/send", { input: { identifier: phone, identifierType: "PHONE", purpose } }, headers),
  };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const tokensOf = ({ body }: Pick<Answer, "body">): Tokens => body.data as unknown as Tokens;
