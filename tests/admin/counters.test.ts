import { describe, expect } from "vitest";
import type { Page } from "playwright-core";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { secretOf, signIn, test } from "../../testing/browser/admin_page.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { withinOneHour } from "../../testing/service/within_one_hour.ts";

/** The counters change once a second; on a busy machine later. */
const pollOptions = { timeout: 60_000 };

const counter = async (page: Page, name: string): Promise<number> =>
  Number(
    await page
      .locator(".counters dl > div", { has: page.getByText(name, { exact: true }) })
      .locator("dd")
      .textContent(),
  );

describe.skipIf(chromiumPath === undefined)("the live counters", () => {
  test("change without a reload", async ({ service, database, openSignedIn }) => {
    await withinOneHour(database, async () => {
      const { page, problems } = await openSignedIn();
      await page.getByText("Live, this hour").waitFor();
      await expect.poll(() => counter(page, "worker"), pollOptions).toBe(1);
      const shown = async () => {
        const names = ["sent", "verified", "signed in", "registered"];
        return (await Promise.all(names.map((name) => counter(page, name)))).join(" ");
      };
      const stored = async () => {
        const [row] = await database.query<{ counts: string }>(
          "select concat_ws(' ', sent, verified, signed_in, registered) as counts from platform.count_live()",
        );
        return row?.counts;
      };
      const before = await shown();
      const person = await signUp(service);
      await logIn(service, person);
      await expect.poll(async () => (await shown()) === (await stored()), pollOptions).toBe(true);
      expect(await shown()).not.toBe(before);
      expect(problems).toEqual([]);
    });
  });

  test("say that the connection is lost, and reconnect by themselves", async ({ service, openConsole }) => {
    const { page } = await openConsole();
    let isLost = false;
    const sockets: { close: () => Promise<void> }[] = [];
    await page.routeWebSocket("**/v1/graphql", (socket) => {
      if (isLost) void socket.close();
      else {
        socket.connectToServer();
        sockets.push(socket);
      }
    });
    await signIn(page, secretOf(service));
    await page.getByText("Live, this hour").waitFor();
    isLost = true;
    for (const socket of sockets.splice(0)) await socket.close();
    await page.getByText("Connection lost: trying again").waitFor();
    isLost = false;
    await page.getByText("Live, this hour").waitFor();
    expect(sockets).toHaveLength(1);
  });
});
