import { forget, secret } from "./state.ts";

/** A constant document: the server plans each one once. The types are those of its answer and variables. */
export interface Document<Data, Variables> {
  text: string;
  /** Never set: they only hold the types. */
  data?: Data;
  variables?: Variables;
}

export const document = <Data, Variables = Record<string, never>>(text: string): Document<Data, Variables> => ({
  text,
});

/** A failed request, explained in a sentence for the operator. */
export class Failure extends Error {
  override name = "Failure";
}

const timeoutMs = 20_000;
let clockDifferenceMs = 0;

/** The server's time, as of its last answer: the clock of an operator's computer may be wrong. */
export const serverNow = (): Date => new Date(Date.now() + clockDifferenceMs);

interface Answer {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/**
 * Sends a document to /v1/graphql with the secret.
 * @throws Failure
 */
export async function ask<Data, Variables>(
  { text }: Document<Data, Variables>,
  variables: Variables,
  withSecret = secret.value,
): Promise<Data> {
  // A secret that no header can hold is wrong, and fetch would report it as a lost connection.
  const response = /^[\x20-\x7e]*$/.test(withSecret)
    ? await send(JSON.stringify({ query: text, variables }), withSecret)
    : undefined;
  if (!response || response.status === 401) {
    forget("The server does not accept this secret. Check it, and sign in again.");
    throw new Failure("Not signed in.");
  }
  const date = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(date)) clockDifferenceMs = date - Date.now();
  const answer = await parse(response);
  const [error] = answer.errors ?? [];
  if (error) throw new Failure(error.message);
  if (!answer.data) throw new Failure(`The server answered ${response.status} without data. Try again.`);
  return answer.data as Data;
}

async function send(body: string, withSecret: string): Promise<Response> {
  try {
    return await fetch("/v1/graphql", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "x-admin-secret": withSecret,
      },
      body,
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    throw new Failure(
      isLate
        ? "The server has not answered for 20 seconds. Try again."
        : "The server cannot be reached. Check the connection, and try again.",
    );
  }
}

async function parse(response: Response): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch {
    throw new Failure(`The server answered ${response.status} without JSON. Try again.`);
  }
}

export const sentence = (error: unknown): string =>
  error instanceof Failure
    ? error.message
    : "This page has a fault. Reload it. If that does not help, report it to the developers of Latchkey.";
