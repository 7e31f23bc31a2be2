import { checkAgainstDocument } from "./openapi.ts";

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown>;
    meta: { message?: string; timestamp: string; path?: string; method?: string; duration?: number };
    error?: { message: string; code: string; details: Record<string, unknown> | null };
  };
  /** The error's code, or undefined for a success. */
  code: string | undefined;
}

export interface Tokens {
  session_id: string;
  access_token: string;
  refresh_token: string;
}

/** A stranger's client: it knows the specification and nothing else. Every answer is compared with the OpenAPI document. */
export interface Client {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  refresh: (refreshToken: string) => Promise<Answer>;
  sendOtp: (phone: string, purpose?: string, headers?: Record<string, string>) => Promise<Answer>;
}

export function makeClient(baseUrl: string): Client {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, init);
    const body = (await response.json()) as Answer["body"];
    const { status, headers } = response;
    checkAgainstDocument(init.method ?? "GET", `/api/v1${path}`, { status, headers, body });
    return { status, headers, body, code: body.error?.code };
  };
  const post: Client["post"] = (path, body, headers = {}) =>
    ask(path, {
      method: "POST",
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    get: (path, headers = {}) => ask(path, { headers }),
    post,
    refresh: (token) => post("/auth/session/refresh", { refresh_token: token }, bearer(token)),
    sendOtp: (phone, purpose = "SIGNUP", headers = {}) =>
      post("/otp/send", { input: { identifier: phone, identifierType: "PHONE", purpose } }, headers),
  };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const tokensOf = ({ body }: Answer): Tokens => body.data as unknown as Tokens;
