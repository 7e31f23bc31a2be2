import { expect, test } from "vitest";
import { formatStatus, type Row } from "./format_status.ts";

const row = (kind: string, pepper_id: string | null, total: number, until: Date | null = null): Row => ({
  kind,
  pepper_id,
  total: String(total),
  until,
});

test("the status counts each kind under each pepper, and says what is void without the previous one, and from when", () => {
  const rows = [
    row("passwords", "new", 12),
    row("passwords", "old", 3),
    row("imported passwords", "old", 4),
    row("registrations", "old", 1, new Date("2026-11-29T10:00:00Z")),
    row("codes", "old", 2, new Date("2026-11-29T11:00:00Z")),
    row("recovery codes", "old", 5),
    row("apps", "old", 6),
    row("passwords", null, 7),
  ];
  expect(formatStatus({ rows, inForce: "new", named: ["new", "old"] }).split("\n")).toEqual([
    "                    current new  previous old  not named none",
    "passwords                    12             3               7",
    "imported passwords            0             4               0",
    "registrations                 0             1               0",
    "codes                         0             2               0",
    "recovery codes                0             5               0",
    "apps                          0             6               0",
    "",
    "What is under a pepper that HASH_PEPPER does not name is void: people reset the password by a code.",
    "Do not drop the previous pepper before 2026-11-29T11:00:00.000Z: codes or registrations are under way until then.",
    "If you drop it: 3 passwords and 4 imported ones are void, and their owners reset the password by a code;",
    "5 recovery codes are void, and their owners make new ones; 6 apps stop working, until an admin removes them (remove_factor).",
  ]);
});

test("before any process has started with a new pepper, the status does not advise to drop the one that hashes", () => {
  const status = formatStatus({ rows: [row("passwords", "old", 3)], inForce: "old", named: ["new", "old"] });
  expect(status.split("\n").slice(8)).toEqual([
    "No process has started with the current pepper yet: the database still hashes under old.",
  ]);
});

test("where rows that ended are all that is left of it, the previous pepper may be dropped", () => {
  const rows = [row("passwords", "new", 1), row("codes", "old", 0, new Date("2026-11-29T11:00:00Z"))];
  expect(
    formatStatus({ rows, inForce: "new", named: ["new", "old"] })
      .split("\n")
      .slice(8),
  ).toEqual(["Nothing is under the second pepper: drop it if it is the old one, put it first if it is the new one."]);
});
