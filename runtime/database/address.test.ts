import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { isPlainAcrossMachines, parseDatabaseAddress } from "./address.ts";
import { AddressError } from "./tls.ts";

test.for([
  ["db.example.com/d", [["db.example.com", 5432]]],
  ["db.example.com:6543/d", [["db.example.com", 6543]]],
  [
    "one:1,two,three:3/d",
    [
      ["one", 1],
      ["two", 5432],
      ["three", 3],
    ],
  ],
  [
    "[::1]:1,[2001:db8::1]/d",
    [
      ["::1", 1],
      ["2001:db8::1", 5432],
    ],
  ],
  ["/d", [["localhost", 5432]]],
  [
    "/d?host=one,two&port=7",
    [
      ["one", 7],
      ["two", 7],
    ],
  ],
  [
    "ignored:5/d?host=one,two&port=7,8",
    [
      ["one", 7],
      ["two", 8],
    ],
  ],
  ["%2Frun%2Fpostgresql/d", [["/run/postgresql", 5432]]],
  ["ignored/d?host=/run/postgresql", [["/run/postgresql", 5432]]],
] as const)("postgres://…@%s has its hosts", ([end, hosts]) => {
  for (const start of ["postgres://role:p%20w@", "postgresql://role:p%20w@"])
    expect(parseDatabaseAddress(start + end)).toMatchObject({
      hosts: hosts.map(([host, port]) => ({ host, port })),
      parameters: { user: "role", password: "p w", database: "d" },
    });
});

test.for([
  ["db.example.com", "prefer", true],
  ["10.0.0.1", "prefer", true],
  ["127.0.0.1.example.com", "prefer", true],
  ["[2001:db8::1]", "prefer", true],
  ["localhost", "disable", false],
  ["127.0.0.2", "disable", false],
  ["[::1]", "disable", false],
  ["%2Frun", "disable", false],
  ["localhost,10.0.0.1", "prefer", true],
  ["10.0.0.1/d?sslmode=disable", "disable", true],
  ["10.0.0.1/d?sslmode=allow", "allow", true],
  ["10.0.0.1/d?sslmode=require", "require", false],
  ["10.0.0.1/d?sslrootcert=system", "verify-full", false],
  ["10.0.0.1/d?ssl=true", "verify-full", false],
  ["10.0.0.1/d?ssl=no-verify", "require", false],
  ["10.0.0.1/d?ssl=0", "disable", true],
  ["%2Frun/d?sslmode=require", "disable", false],
] as const)("%s: sslmode %s; it leaves the machine without TLS: %s", ([end, tlsMode, isPlain]) => {
  const address = parseDatabaseAddress(`postgres://role:pw@${end}`);
  expect(address.tlsMode).toBe(tlsMode);
  expect(isPlainAcrossMachines(address)).toBe(isPlain);
});

test.for([
  ["db?sslmode=verify", /^has a sslmode other than disable, allow, prefer, require, verify-ca, verify-full$/],
  ["db?sslmode=verify-ca", /^has sslmode=verify-ca without sslrootcert/],
  ["db?sslmode=require&sslrootcert=system", /^has sslrootcert=system, which needs sslmode=verify-full$/],
  ["db?sslmode=require&sslcert=/a", /^has sslcert without sslkey$/],
  ["db?sslmode=require&sslkey=/a", /^has sslkey without sslcert$/],
  ["db?sslmode=require&sslpassword=a", /^has sslpassword without sslkey$/],
  ["localhost?sslcert=/a&sslkey=/b", /^has sslcert and no TLS: add sslmode=verify-full$/],
  ["db?sslmode=disable&sslrootcert=/a", /^has sslrootcert and no TLS/],
  ["db?sslmode=require&sslrootcert=/missing", /^names a file that cannot be read: ENOENT/],
  ["db?sslmode=require&sslnegotiation=later", /^has a sslnegotiation other than postgres, direct$/],
  ["db?sslnegotiation=direct", /^has sslnegotiation=direct, which needs sslmode=require/],
  ["db?channel_binding=require", /^has channel_binding=require, which needs sslmode=require/],
  ["db?channel_binding=yes", /^has a channel_binding other than/],
  ["db?target_session_attrs=standby", /^has a target_session_attrs other than any, read-write, primary$/],
  ["db?sslcrl=/revoked", /^has a parameter that is not known here/],
  ["db?hostaddr=10.0.0.1", /^has a parameter that is not known here/],
  ["one,two/d?port=1,2,3", /^must have one port, or one for each host$/],
  ["db:65536", /^cannot be understood/],
  ["db%zz", /^cannot be understood/],
] as const)("postgres://…@%s is refused, and the message holds no part of it", ([end, message]) => {
  let refusal: unknown;
  try {
    parseDatabaseAddress(`postgres://role:s3cret@${end}`);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(AddressError);
  expect((refusal as Error).message).toMatch(message);
  expect((refusal as Error).message).not.toContain("s3cret");
});

test("a file that is no certificate is refused", () => {
  const file = join(temporaryFolder(), "no.crt");
  writeFileSync(file, "no certificate");
  for (const files of [`sslrootcert=${file}`, `sslcert=${file}&sslkey=${file}`])
    expect(() => parseDatabaseAddress(`postgres://role@db?sslmode=require&${files}`)).toThrow(
      /^names a file in ssl\S+ .*that is not what it must be/,
    );
});
