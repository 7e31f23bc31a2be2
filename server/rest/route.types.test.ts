import { expect, test } from "vitest";
import { api } from "../database/api_functions.ts";
import { registration } from "./answers/accounts.ts";
import { login, newSession } from "./answers/opened_sessions.ts";
import { onlyMeta } from "./answers/presenter.ts";
import { guards } from "./guards.ts";
import type { Input } from "./input.ts";
import { inputs } from "./inputs.ts";
import { route } from "./handle.ts";
import { jsonBody } from "./read_body.ts";

/** The compiler checks these: an expected error that does not come fails `npm run typecheck`. */
const { anyone, accessToken, userToken, guestTokenOrNone } = guards;
const common = { method: "POST", path: "/somewhere", status: 200, message: "Done." } as const;
const input = <Args extends object>(args: Args): Input<Args> => ({
  body: undefined,
  reader: jsonBody,
  errors: [],
  parse: () => args,
});
const credentials = { phone: "+12125550123", password_prehash: "", label: null };

test("a route whose parts fit together compiles", () => {
  const correct = route({
    ...common,
    calls: api.log_in,
    guard: guestTokenOrNone,
    input: input(credentials),
    presenter: login,
  });
  expect(correct.calls).toBe(api.log_in);
});

test("a route whose parts do not fit together does not compile", () => {
  // @ts-expect-error A presenter of sessions for a function that answers with a registration.
  route({ ...common, calls: api.register, guard: anyone, input: inputs.registration, presenter: newSession });
  const logIn = { ...common, calls: api.log_in, guard: guestTokenOrNone, presenter: login };
  // @ts-expect-error A presenter of registrations for a function that answers with a session.
  route({ ...logIn, input: inputs.credentials, presenter: registration });
  // @ts-expect-error An argument is left out: password_prehash.
  route({ ...logIn, input: inputs.name });
  const misspelled = input({ phone: "", password_prehsah: "", label: null });
  // @ts-expect-error An argument is misspelled.
  route({ ...logIn, input: misspelled });
  const wrongType = input({ ...credentials, phone: 7 });
  // @ts-expect-error An argument has the wrong type.
  route({ ...logIn, input: wrongType });
  const nullable = input<Omit<typeof credentials, "password_prehash"> & { password_prehash: string | null }>(
    credentials,
  );
  // @ts-expect-error An argument may be null where the function takes no null.
  route({ ...logIn, input: nullable });
  const refresh = { ...common, calls: api.refresh_session, input: inputs.nothing, presenter: newSession };
  const correct = route({ ...refresh, guard: accessToken });
  // @ts-expect-error The guard gives no session_id.
  route({ ...refresh, guard: anyone });
  // @ts-expect-error The guard gives no guest_session_id.
  route({ ...logIn, guard: anyone, input: inputs.credentials });
  // @ts-expect-error No such function.
  expect(correct.calls).not.toBe(api.sign_up);
});

test("the name in a path is that of its input", () => {
  const path = "/somewhere/{session_id}";
  const revoke = { ...common, calls: api.revoke_session, presenter: onlyMeta };
  const correct = route({ ...revoke, path, input: inputs.sessionInPath, guard: userToken });
  expect(correct.input).toBe(inputs.sessionInPath);
  // @ts-expect-error The input reads nothing of the path.
  route({ ...revoke, path, input: input({ target_session_id: "" }), guard: userToken });
  // @ts-expect-error The path has no such name.
  route({ ...revoke, path: "/somewhere", input: inputs.sessionInPath, guard: userToken });
  // @ts-expect-error The path has another name.
  route({ ...revoke, path: "/somewhere/{id}", input: inputs.sessionInPath, guard: userToken });
  // @ts-expect-error The path has a second name.
  route({ ...revoke, path: "/{session_id}/{id}", input: inputs.sessionInPath, guard: userToken });
  // @ts-expect-error The guard gives no user_id.
  route({ ...revoke, path, input: inputs.sessionInPath, guard: accessToken });
  // @ts-expect-error The function takes none of the path's parameters: target_session_id is not given.
  route({ ...revoke, path, input: { ...inputs.sessionInPath, parse: () => ({}) }, guard: userToken });
  // @ts-expect-error No such method.
  route({ ...revoke, path, input: inputs.sessionInPath, guard: userToken, method: "PUT" });
});
