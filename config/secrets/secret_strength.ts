/**
 * A long secret of few different characters is easy to guess. A random secret has many more different ones than this.
 */
const minDifferent = 8;

interface Rule {
  /** The secrets that the value names; default: one. */
  parts?: (value: string) => string[];
  minimum: number;
  unit: string;
  /** Splits the secret into its characters or bytes. */
  units: (value: string) => Iterable<unknown>;
}

const characters: Rule = { minimum: 32, unit: "characters", units: (value) => value };
const base64 = (minimum: number, prefix = ""): Rule => ({
  minimum,
  unit: "bytes",
  units: (value) => Buffer.from(value.replace(prefix, ""), "base64"),
});

/** The secrets that the operator chooses. Vendors choose the length of theirs. */
const rules: Record<string, Rule> = {
  ADMIN_SECRET: characters,
  AUTH_WEBHOOK_SECRET: characters,
  KEY_ENCRYPTION_KEY: { ...base64(32), parts: (value: string) => value.split(",") },
  HASH_PEPPER: { ...base64(32), parts: (value: string) => value.split(",") },
  SMS_HTTP_SIGNING_SECRET: base64(24, "whsec_"),
};

/** Returns what is wrong with the secrets that are too easy to guess, by their names. */
export function weakSecrets(variables: Record<string, string | undefined>): [name: string, weakness: string][] {
  return Object.entries(rules).flatMap(([name, { minimum, unit, units, parts = whole }]) => {
    const value = variables[name];
    if (!value) return [];
    const isStrong = (part: string) => {
      const all = [...units(part)];
      return all.length >= minimum && new Set(all).size >= minDifferent;
    };
    return parts(value).every(isStrong)
      ? []
      : [[name, `must be ${minimum} ${unit} or more, at least ${minDifferent} of them different`]];
  });
}

const whole = (value: string): string[] => [value];
