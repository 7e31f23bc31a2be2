/* global document, fetch, graphqlWs, Headers, location, CloseEvent, RURU_CONFIG, URL */
import { React, createRoot, Ruru } from "./ruru.js";

const form = document.querySelector("#credential");
const [kind, field] = form.elements;
const status = form.querySelector("output");
const root = createRoot(document.querySelector("#ruru-root"));

/** Keeps GraphiQL's tabs, variables and headers in memory instead of localStorage. */
const memory = new Map();
const storage = {
  getItem: (name) => memory.get(name) ?? null,
  setItem(name, value) {
    // GraphiQL copies the headers tab, which may hold a secret, into its history. It ignores this error and stores
    // nothing.
    if (name === "graphiql:queries" || name === "graphiql:favorites") throw new Error("history is disabled");
    memory.set(name, value);
  },
  removeItem: (name) => memory.delete(name),
  clear: () => memory.clear(),
  get length() {
    return memory.size;
  },
};

/**
 * Creates a fetcher that sends subscriptions over WebSocket and other operations by POST, with the credential's header.
 * Headers of the headers tab override it.
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
 * Whether the request is a subscription, by its text: the parsed document that GraphiQL passes lags behind the editor.
 * Strings, comments and selections may contain the word, so they are removed first, selections from the inside out.
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
        cause instanceof CloseEvent ? new Error(`The server closed the socket: ${cause.code} ${cause.reason}`) : cause,
      );
    return { unsubscribe: client.subscribe(request, { ...observer, error }) };
  },
});

/** Renders GraphiQL with a new fetcher, which makes it fetch the schema again, unless `schema` is null. */
const render = (credential, schema) =>
  root.render(React.createElement(Ruru, { ...RURU_CONFIG, storage, schema, fetcher: createFetcher(credential) }));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = field.value.trim();
  // Removes the secret from the page's DOM.
  field.value = "";
  status.value = "Fetching the schema…";
  render(
    kind.value === "secret"
      ? { "X-Admin-Secret": value }
      : { Authorization: `Bearer ${value.replace(/^Bearer\s+/i, "")}` },
  );
});

render({}, null);
