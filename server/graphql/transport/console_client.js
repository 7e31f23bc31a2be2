/* global document, fetch, graphqlWs, Headers, localStorage, location, CloseEvent, RURU_CONFIG, URL */
import { React, createRoot, Ruru } from "./ruru.js";

const form = document.querySelector("#credential");
const [kind, field] = form.elements;
const status = form.querySelector("output");
const root = createRoot(document.querySelector("#ruru-root"));

/** GraphiQL's tabs, variables and headers last as long as the page. */
const memory = new Map();
const storage = {
  getItem: (name) => memory.get(name) ?? null,
  setItem(name, value) {
    // GraphiQL copies the headers tab into its history, so it keeps no history: it drops what cannot be stored.
    if (name === "graphiql:queries" || name === "graphiql:favorites") throw new Error("no history is kept");
    memory.set(name, value);
  },
  removeItem: (name) => memory.delete(name),
  clear: () => memory.clear(),
  get length() {
    return memory.size;
  },
};

/**
 * Sends a subscription over WebSocket and everything else by POST, with the credential's header. The headers tab
 * adds to it and overrides it.
 */
const createFetcher = (credential) => async (request, options) => {
  const headers = new Headers(credential);
  for (const [name, value] of Object.entries(options?.headers ?? {})) headers.set(name, value);
  if (isSubscription(request)) return subscribe(request, headers);
  headers.set("Content-Type", "application/json");
  const body = JSON.stringify(request);
  const response = await fetch(RURU_CONFIG.endpoint, { method: "POST", headers, body });
  const result = await response.json();
  if (request.operationName === "IntrospectionQuery")
    status.value = result.data ? "Schema loaded." : `No schema: ${result.errors?.[0]?.message}`;
  return result;
};

/**
 * Reads the text that is sent: the document that GraphiQL hands over lags behind the editor, so a subscription that runs right
 * after it was typed would go by POST. What may enclose the word goes first: strings and comments, then selections from the inside out.
 */
const isSubscription = ({ query, operationName }) => {
  let text = query.replace(/"""[^]*?"""|"(?:\\.|[^"\\])*"|#.*/g, "");
  for (let before; before !== text;) [before, text] = [text, text.replace(/\{[^{}]*\}|\([^()]*\)/g, " ; ")];
  const named = [...text.matchAll(/(?:^|[;\s])subscription(?:\s+(\w+))?/g)];
  return named.some(([, name]) => !operationName || name === operationName);
};

const subscribe = (request, headers) => ({
  subscribe(observer) {
    const client = graphqlWs.createClient({
      url: new URL(RURU_CONFIG.endpoint, location.href.replace(/^http/, "ws")).href,
      connectionParams: { headers: Object.fromEntries(headers) },
      retryAttempts: 0,
    });
    const error = (cause) =>
      observer.error(
        cause instanceof CloseEvent
          ? new Error(`The server closed the socket: ${cause.code} ${cause.reason}`)
          : cause,
      );
    return { unsubscribe: client.subscribe(request, { ...observer, error }) };
  },
});

/** A new fetcher makes GraphiQL fetch the schema again, unless schema is null. */
const render = (credential, schema) =>
  root.render(
    React.createElement(Ruru, { ...RURU_CONFIG, storage, schema, fetcher: createFetcher(credential) }),
  );

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = field.value.trim();
  // No longer in the page for anybody who opens its inspector.
  field.value = "";
  status.value = "Fetching the schema…";
  render(
    kind.value === "secret"
      ? { "X-Admin-Secret": value }
      : { Authorization: `Bearer ${value.replace(/^Bearer\s+/i, "")}` },
  );
});

// Earlier versions of this page left GraphiQL's history here, with the admin secret in it.
for (const name of Object.keys(localStorage)) if (name.startsWith("graphiql:")) localStorage.removeItem(name);

render({}, null);
