import type { Express } from "express";
import jwt from "jsonwebtoken";
import { isAddress } from "../../config/issuer.ts";
import { mount } from "../../http/express_app.ts";
import { discoveryPaths, introspectionPath, revocationPath } from "../../http/paths.ts";
import { contextOf } from "../../http/request_context.ts";
import { api } from "../database/api_functions.ts";
import type { Services } from "../services.ts";
import { userOfClaims } from "../tokens/claims.ts";
import { discoveryDocument } from "./discovery.ts";
import { sendPublic } from "./send_public.ts";
import { tokenEndpoint } from "./token_endpoint.ts";

/** What OAuth's and OpenID Connect's clients expect of an issuer: discovery, introspection and revocation. */
export function mountOauth(app: Express, services: Services): void {
  const { config, database, tokens } = services;
  if (isAddress(config.JWT_ISSUER)) {
    const sendDocument = sendPublic(services.keys, (keys) => discoveryDocument(config, keys));
    for (const path of discoveryPaths) mount(app, path, { GET: [sendDocument] });
  }
  if (config.RESOURCE_SERVERS.length === 0) return;

  // RFC 7662: whatever is no live access token of ours is inactive, and why is not said.
  const introspect = tokenEndpoint(services, async (token, request) => {
    const verified = tokens.verify(token, "access");
    if ("fault" in verified) return { active: false };
    const { sid } = verified.claims;
    contextOf(request).addLogFields({ sessionId: sid, userId: userOfClaims(verified.claims) });
    const { error } = await database.call(api.authorize, { session_id: sid });
    if (error) return { active: false };
    // Ours last: hook.claims may give a claim of the same name.
    return { ...jwt.decode(token, { json: true }), active: true, token_type: "Bearer" };
  });
  // RFC 7009: ends the session of the token, of either kind. A token that is not valid is revoked already.
  const revoke = tokenEndpoint(services, async (token, request) => {
    for (const use of ["access", "refresh"] as const) {
      const verified = tokens.verify(token, use);
      if ("fault" in verified) continue;
      contextOf(request).addLogFields({ sessionId: verified.claims.sid, userId: userOfClaims(verified.claims) });
      await database.call(api.log_out, { session_id: verified.claims.sid });
    }
    return {};
  });
  mount(app, introspectionPath, { POST: [introspect] });
  mount(app, revocationPath, { POST: [revoke] });
}
