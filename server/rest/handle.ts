import type { Request, RequestHandler } from "express";
import type { Answer } from "../database/api_answers.ts";
import type { Services } from "../services.ts";
import { acceptedLanguages } from "../http/accepted_languages.ts";
import { sendSuccess } from "../../http/envelope.ts";
import { Problem } from "../../http/problem.ts";
import { contextOf, type LogFields } from "../../http/request_context.ts";
import { userAgent } from "../http/user_agent.ts";
import { withSendProof } from "../proofs/with_send_proof.ts";
import { withFactorSecrets } from "../factors/factor_secrets.ts";
import { withPasskeyCheck } from "../passkeys/passkey_check.ts";
import type { SealedSecret } from "../factors/totp_secrets.ts";
import type { Route, RouteDefinition } from "./route.ts";

/** One line of the table of routes. */
export const route = <
  const Path extends `/${string}`,
  Ids extends object,
  Args extends object,
  Data,
  Name extends string = never,
>(
  definition: RouteDefinition<Path, Name, Ids, Args, Data>,
): Route => ({
  ...definition,
  handler: (services) => handle(definition, services),
});

/** Handles one route of the table: guard, input, one call, answer. */
function handle<Path extends `/${string}`, Name extends string, Ids extends object, Args extends object, Data>(
  definition: RouteDefinition<Path, Name, Ids, Args, Data>,
  services: Services,
): RequestHandler {
  const { calls, guard, input, presenter, follow, status, message } = definition;
  const { parameter } = input;
  const { config, database, passwords, tokens, totpSecrets, passkeys, sendProofs } = services;

  const call = async (request: Request): Promise<Answer<Data>> => {
    const ids = await guard.check(request, tokens, config);
    const context = contextOf(request);
    context.addLogFields(logFieldsOf(ids));
    const args = {
      ...ids,
      ...input.parse(parameter ? request.params[parameter.name] : request.body, config.passwordKeys),
      client: context.client,
      user_agent: "user_agent" in calls.args ? userAgent(request) : null,
      code_key: config.codeKey,
      rp_id: passkeys.rpId,
      ...("sealed_secret" in calls.args ? totpSecrets.make(userOf(ids)) : noSecret),
      languages: "languages" in calls.args ? acceptedLanguages(request) : [],
    };
    return withPasskeyCheck(passkeys, request.body, (check) =>
      withSendProof(sendProofs, { proof: proofOf(args), client: context.client }, (proof) =>
        withFactorSecrets(totpSecrets, (secrets) => {
          const completed = { ...args, ...check, ...proof, ...secrets };
          return calls.pool === "password"
            ? passwords.call(calls, completed, request.body, context.ids)
            : database.call(calls, completed, context.ids);
        }),
      ),
    );
  };

  return async (request, response) => {
    let answer = await call(request);
    if (answer.data) {
      contextOf(request).addLogFields(logFieldsOf(answer.data));
      const trace = traceOf(answer.data);
      if (trace !== undefined) contextOf(request).continueTrace(trace);
      if (follow) answer = await follow.run(answer.data, services, contextOf(request).ids);
    }
    if (answer.error)
      throw new Problem(answer.error.code, answer.error.details, {}, { isOfUser: "session_id" in calls.args });
    sendSuccess(request, response, status, message, presenter.present(answer.data, services));
  };
}

const noSecret: SealedSecret = { sealed_secret: Buffer.alloc(0), pepper_id: "" };

const proofOf = (args: object): string | null =>
  "proof" in args && typeof args.proof === "string" ? args.proof : null;

const userOf = (ids: object): string => ("user_id" in ids ? String(ids.user_id) : "");

function traceOf(source: object): string | undefined {
  const { trace }: Record<string, unknown> = { ...source };
  return typeof trace === "string" ? trace : undefined;
}

function logFieldsOf(source: object): LogFields {
  const { user_id, session_id, otp_id }: Record<string, unknown> = { ...source };
  const text = (id: unknown) => (typeof id === "string" ? id : undefined);
  return { userId: text(user_id), sessionId: text(session_id), otpId: text(otp_id) };
}
