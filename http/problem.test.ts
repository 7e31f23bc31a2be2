import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSql, readSql } from "../db/sql_files.ts";
import { boldItems } from "../testing/documents/markdown.ts";
import { catalog, Problem, type ErrorCode } from "./problem.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const documented = boldItems(read("docs/errors.md"));
const documentedCodes = documented.flatMap(([code, text]) => {
  const [, status] = /^ \((\d+)\): /.exec(text) ?? [];
  return status === undefined ? [] : [[code, Number(status)]];
});
const documentedReasons = documented.flatMap(([reason, text]): [string, ErrorCode, number][] => {
  const [, code, status] = /^ \(`(\w+)`, (\d+)\): /.exec(text) ?? [];
  return code === undefined ? [] : [[reason, code as ErrorCode, Number(status)]];
});

const sqlFunctions = findSql("functions/**/*.sql").map((path) => readSql(path));
// Without comments, which only mention codes.
const sqlBodies = sqlFunctions.map((text) =>
  text.replace(/comment on function[\s\S]*?\$\$;/g, "").replace(/--.*/g, ""),
);
const found = (texts: string[], pattern: RegExp): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].flatMap((match) => match.slice(1)))),
];

describe("catalog and docs/errors.md", () => {
  test("have the same codes with the same statuses", () => {
    expect(documentedCodes.sort()).toEqual(
      Object.entries(catalog)
        .map(([code, { status }]) => [code, status])
        .sort(),
    );
  });

  test("are the documented ones", () => {
    const specified = [
      "INVALID_REQUEST",
      "MISSING_FIELDS",
      "INVALID_IDENTIFIER",
      "INVALID_PURPOSE",
      "INVALID_OTP",
      "INVALID_OTP_FORMAT",
      "OTP_EXPIRED",
      "OTP_ALREADY_USED",
      "MAX_ATTEMPTS_REACHED",
      "OTP_SEND_FAILED",
      "RATE_LIMIT_EXCEEDED",
      "SESSION_NOT_FOUND",
      "SESSION_REVOKED",
      "SESSION_MISMATCH",
    ];
    expect(Object.keys(catalog).sort()).toEqual([...specified, "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"].sort());
  });

  test.each(documentedReasons)("agree on the reason %s of %s: %i", (reason, code, status) => {
    expect(new Problem(code, { reason }).status).toBe(status);
  });

  test("docs/errors.md has every reason that the code gives, and no other", () => {
    const sources = [
      ...globSync(["server/**/*.ts", "http/**/*.ts", "graphql/authorization/*.ts"], {
        cwd: root,
        exclude: (name) => name.endsWith(".test.ts"),
      }).map(read),
      ...sqlBodies,
    ];
    const reasons = [
      /\breason: "(\w+)"/g,
      /\breason: .* \? "(\w+)" : "(\w+)"/g,
      /\bfault: "(\w+)"/g,
      /\bsessionNotFound\("(\w+)"\)/g,
      /'reason', '(\w+)'/g,
      /"reason": "(\w+)"/g,
      /, '(too_\w+)'/g,
    ].flatMap((pattern) => found(sources, pattern));
    // Why a session ended, in the data of an event.
    const ofEvents = ["by_hand", "deleted", "too_many"];
    expect([...new Set(reasons)].filter((reason) => !ofEvents.includes(reason)).sort()).toEqual(
      documentedReasons.map(([reason]) => reason).sort(),
    );
  });
});

describe("catalog and SQL functions", () => {
  /** Upper-case literals of the functions that are no error codes. */
  const others = new Set([
    "PASSWORD_RESET",
    "PHONE_CHANGE",
    "PHONE_CHANGED",
    "PHONE_RECOVERY",
    "PHONE_CHANGE_DUE",
    "EMAIL_CHANGE",
    "EMAIL_CHANGED",
    "FACTORS_CHANGED",
    // These make the server repeat the call. No client gets them.
    "FOREIGN_PREHASH_REQUIRED",
    "FACTOR_SECRETS_REQUIRED",
    "PASSKEY_CHECK_REQUIRED",
    "PROOF_REQUIRED",
    // A month, as to_char writes it.
    "YYYY_MM",
    ...found(
      findSql("migrations/*.sql").map((path) => readSql(path)),
      /\('([A-Z_]+)'/g,
    ),
  ]);
  const returned = found(sqlBodies, /'([A-Z]+(?:_[A-Z]+)+)'/g).filter((literal) => !others.has(literal));

  test("every code that SQL returns is in the catalog", () => {
    expect(returned.filter((code) => !(code in catalog))).toEqual([]);
  });

  test("every code of the catalog is SQL's or the server's own", () => {
    const ofTheShell = ["INVALID_PURPOSE", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"];
    expect([...returned, ...ofTheShell].sort()).toEqual(Object.keys(catalog).sort());
  });

  test("every code that a function's comment names is in the catalog", () => {
    const comments = sqlFunctions.map((text) => /comment on function[\s\S]*?\$\$;/.exec(text)?.[0] ?? "");
    const named = found(comments, /\b([A-Z]+(?:_[A-Z]+)+)\b/g).filter(
      (name) => /^(INVALID|SESSION|MAX)_/.test(name) && !others.has(name),
    );
    expect(named).not.toEqual([]);
    expect(named.filter((code) => !(code in catalog))).toEqual([]);
  });
});

describe("headers", () => {
  test("every 401 has a challenge, which distinguishes a bad token from a missing one (RFC 6750)", () => {
    const challenge = (code: ErrorCode, reason: string) => new Problem(code, { reason }).headers["WWW-Authenticate"];
    expect(challenge("SESSION_NOT_FOUND", "token_missing")).toBe('Bearer realm="latchkey"');
    expect(challenge("INVALID_REQUEST", "login_refused")).toBe('Bearer realm="latchkey"');
    for (const reason of ["token_invalid", "token_expired", "session_missing"])
      expect(challenge("SESSION_NOT_FOUND", reason)).toBe('Bearer realm="latchkey", error="invalid_token"');
    for (const code of ["SESSION_REVOKED", "SESSION_MISMATCH"] as const)
      expect(new Problem(code).headers["WWW-Authenticate"]).toContain('error="invalid_token"');
  });

  test("no other status has a challenge", () => {
    for (const code of Object.keys(catalog) as ErrorCode[]) {
      const { status, headers } = new Problem(code);
      expect([code, "WWW-Authenticate" in headers]).toEqual([code, status === 401]);
    }
  });

  test("a spent limit is named in the IETF fields, with the time to retry", () => {
    const details = { policy: "OTP_SEND_PER_IP", requests: 10, seconds: 3600, retryAfterSeconds: 17 };
    expect(new Problem("RATE_LIMIT_EXCEEDED", details)).toMatchObject({
      status: 429,
      details,
      headers: {
        "Retry-After": "17",
        "RateLimit-Policy": '"OTP_SEND_PER_IP";q=10;w=3600',
        RateLimit: '"OTP_SEND_PER_IP";r=0;t=17',
      },
    });
  });

  test("a refusal by a fraud rule has the time to retry and no quota", () => {
    const { headers } = new Problem("RATE_LIMIT_EXCEEDED", {
      policy: "FRAUD_COUNTRY",
      retryAfterSeconds: 17,
    });
    expect(headers).toEqual({ "Retry-After": "17" });
  });

  test("spent attempts have no Retry-After: waiting does not help", () => {
    expect(new Problem("MAX_ATTEMPTS_REACHED").headers).toEqual({});
  });

  test("503 has the time to retry, and headers that are passed in are kept", () => {
    expect(new Problem("SERVICE_UNAVAILABLE").headers).toEqual({ "Retry-After": "2" });
    expect(new Problem("INVALID_REQUEST", { reason: "method_not_allowed" }, { Allow: "POST" })).toMatchObject({
      status: 405,
      headers: { Allow: "POST" },
    });
  });
});

test("a reason changes the status of its own code alone", () => {
  expect(new Problem("INVALID_OTP", { reason: "login_refused" }, {}, { isOfUser: true })).toMatchObject({
    status: 400,
    message: "The one-time password is not correct.",
  });
  expect(new Problem("INVALID_REQUEST", { reason: "not_own_session" }).status).toBe(400);
  expect(new Problem("SESSION_NOT_FOUND", { reason: "not_own_session" })).toMatchObject({
    status: 404,
    headers: {},
  });
  expect(new Problem("INVALID_REQUEST", { reason: "of no other status" }).status).toBe(400);
});
