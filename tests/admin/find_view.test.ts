import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { find, settled, test } from "../../testing/browser/admin_page.ts";
import { logIn, newPhone, signUp } from "../../testing/service/people.ts";

describe.skipIf(chromiumPath === undefined)("finding a person", () => {
  test("without accounts the list says so, and an unknown account is reported", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByText("Nobody has registered yet.").waitFor();
    await find(page, "0000");
    await page.getByText("Nothing has this id.").waitFor();
    await find(page, "00000000-0000-7000-8000-000000000000");
    await page.getByText("Nothing has this id.").waitFor();
  });

  test("by phone as people write it, by id of the account, of a session and of a code, and by email", async ({
    service,
    database,
    openSignedIn,
  }) => {
    const person = await signUp(service);
    const { session_id } = await logIn(service, person);
    await database.query(`update "user".account set email = 'ada@example.org' where phone = $1`, [person.phone]);
    const [account] = await database.query<{ id: string; otp: string }>(
      `select a.id, (select o.id from platform.otp_transaction o where o.identifier = a.phone limit 1) as otp
       from "user".account a where a.phone = $1`,
      [person.phone],
    );
    const { page, problems } = await openSignedIn();
    const written = person.phone.replace(/^\+(\d)(\d{3})(\d{3})/, "00$1 ($2) $3-");
    for (const text of [person.phone, written, account!.id, session_id, account!.otp, "Ada@Example.org"]) {
      await find(page, text);
      await page.getByRole("heading", { name: person.phone }).waitFor();
      expect(page.url(), "the URL names nobody").toBe(`${service.url}/admin#/person`);
      if (text === session_id) await page.getByRole("heading", { name: "The session that you looked for" }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test("by the id of a request, what refused it, or why nothing is stored of it", async ({ client, openSignedIn }) => {
    const refused = await client.post("/auth/login", { phone: newPhone(), password: "not the password" });
    const { page, problems } = await openSignedIn();
    await find(page, refused.headers.get("x-request-id")!);
    await page.getByText("The password was refused: it is wrong, or no account has this phone or email.").waitFor();
    await find(page, "00000000-0000-7000-8000-000000000000");
    await page.getByText("No refusal of this request is stored.").waitFor();
    expect(problems).toEqual([]);
  });

  test("a phone without an account, a guest's session and a client have views too", async ({
    service,
    client,
    openSignedIn,
  }) => {
    const phone = newPhone();
    await service.set("OTP_SEND_PER_IP", "1000/3600");
    await client.sendOtp(phone);
    const { page } = await openSignedIn();
    await find(page, phone);
    await page.getByText("no account").waitFor();
    await page.getByText("A code was requested for SIGNUP.").waitFor();
    await find(page, "127.0.0.1");
    await page.getByRole("heading", { name: "Client 127.0.0.1" }).waitFor();
    await page.getByText("OTP_SEND_PER_IP").waitFor();
    const guest = tokensOf(await client.post("/auth/session/guest"));
    await find(page, guest.session_id);
    await page.getByRole("heading", { name: "A guest's session" }).waitFor();
    await page.getByText(guest.session_id).waitFor();
  });

  test("the newest accounts are paged, and a row opens its person", async ({ database, openSignedIn }) => {
    await database.query(
      `insert into "user".account (id, phone, phone_verified_at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '+1646' || 1000000 + n, now() from generate_series(1, 45) n`,
    );
    const { page } = await openSignedIn();
    const first = page.locator("tbody button").first();
    await first.waitFor();
    const newest = await first.textContent();
    const seen = new Set<string>();
    for (let round = 0; round < 5; round++) {
      await settled(page);
      for (const text of await page.locator("tbody button").allTextContents()) seen.add(text.trim());
      const older = page.getByRole("button", { name: "Older" });
      if (await older.isDisabled()) break;
      await older.click();
    }
    const [count] = await database.query<{ count: number }>(`select count(*)::integer from "user".account`);
    expect(seen.size).toBe(count?.count);
    await page.locator("tbody button").last().click();
    await page.getByRole("heading", { name: "+16461000001" }).waitFor();
    await page.goBack();
    await page.getByText(newest!.trim()).waitFor();
  });
});
