import type { DigestWorkers } from "./digest_workers.ts";
import { prehashUnder } from "./stored_parameters.ts";

/**
 * A typed password. It is kept until the database says whether its account's hash was imported. Its fields are private,
 * so nothing can log it.
 */
export class TypedPassword {
  readonly #passwordKey: Buffer;
  readonly #password: string;

  constructor(passwordKey: Buffer, password: string) {
    this.#passwordKey = passwordKey;
    this.#password = password;
  }

  /** The argument foreign_prehash of the SQL functions, for the parameters that the database requested. */
  foreignPrehash(parameters: string, { compute }: Pick<DigestWorkers, "compute">): Promise<string> {
    return prehashUnder(this.#passwordKey, parameters, this.#password, compute);
  }
}

/** Added by an input to the arguments of a function that compares a password. typed_password stays in this process. */
export const typePassword = (
  passwordKey: Buffer,
  password: string,
): { typed_password: TypedPassword; foreign_prehash: null } => ({
  typed_password: new TypedPassword(passwordKey, password),
  foreign_prehash: null,
});

export const typedPasswordOf = (args: object): TypedPassword | undefined =>
  "typed_password" in args && args.typed_password instanceof TypedPassword ? args.typed_password : undefined;
