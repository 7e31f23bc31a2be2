import { expect, test } from "vitest";
import { api } from "../database/api_functions.ts";
import { login, newSession, registration } from "./answers.ts";
import { guards } from "./guards.ts";
import { inputs, type Input } from "./inputs.ts";
import { route } from "./handle.ts";
import { jsonBody } from "./read_body.ts";

/** The compiler checks these: an expected error that does not come fails `npm run typecheck`. */
const { anyone, accessToken } = guards;
const common = { path: "/somewhere", status: 200, message: "Done." } as const;
const input = <Args extends object>(args: Args): Input<Args> => ({
  body: undefined,
  reader: jsonBody,
  errors: [],
  parse: () => args,
});
const credentials = { phone: "+12125550123", password_prehash: "" };

test("a route whose parts fit together compiles", () => {
  const correct = route({
    ...common,
    calls: api.log_in,
    guard: anyone,
    input: input(credentials),
    presenter: login,
  });
  expect(correct.calls).toBe(api.log_in);
});

test("a route whose parts do not fit together does not compile", () => {
  // @ts-expect-error A presenter of sessions for a function that answers with a registration.
  route({ ...common, calls: api.register, guard: anyone, input: inputs.registration, presenter: newSession });
  // @ts-expect-error A presenter of registrations for a function that answers with a session.
  route({ ...common, calls: api.log_in, guard: anyone, input: inputs.credentials, presenter: registration });
  // @ts-expect-error An argument is left out: password_prehash.
  route({ ...common, calls: api.log_in, guard: anyone, input: inputs.phone, presenter: login });
  const misspelled = input({ phone: "", password_prehsah: "" });
  // @ts-expect-error An argument is misspelled.
  route({ ...common, calls: api.log_in, guard: anyone, input: misspelled, presenter: login });
  const wrongType = input({ ...credentials, phone: 7 });
  // @ts-expect-error An argument has the wrong type.
  route({ ...common, calls: api.log_in, guard: anyone, input: wrongType, presenter: login });
  const nullable = input<{ phone: string | null; password_prehash: string }>(credentials);
  // @ts-expect-error An argument may be null where the function takes no null.
  route({ ...common, calls: api.log_in, guard: anyone, input: nullable, presenter: login });
  const refresh = { ...common, calls: api.refresh_session, input: inputs.nothing, presenter: newSession };
  const correct = route({ ...refresh, guard: accessToken });
  // @ts-expect-error The guard gives no session_id.
  route({ ...refresh, guard: anyone });
  // @ts-expect-error No such function.
  expect(correct.calls).not.toBe(api.sign_up);
});
