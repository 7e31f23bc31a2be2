import type { RequestListener } from "node:http";
import { hasValidHost } from "../http/malformed.ts";
import { webhookPath } from "../http/paths.ts";
import type { logRequests } from "../http/request_log.ts";

/**
 * Answers the webhook before Express: every GraphQL request calls it, and routing in Express would cost as much as the answer.
 * Requests that it does not answer itself, such as those with a query string or a malformed Host, go to the app.
 */
export function bypassExpress(
  app: RequestListener,
  webhook: RequestListener,
  startRequest: ReturnType<typeof logRequests>,
): RequestListener {
  return (request, response) => {
    const { url, method = "" } = request;
    if (url === webhookPath && ["GET", "POST"].includes(method) && hasValidHost(request))
      startRequest(request, response, () => {
        webhook(request, response);
      });
    else app(request, response);
  };
}
