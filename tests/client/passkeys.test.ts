import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { signUp } from "../../testing/service/people.ts";
import { relyingParty } from "../../testing/service/software_authenticator.ts";
import { emptyPage, hasChromium, signIn as signInByPassword, test as baseTest } from "./fixtures/tab_fixtures.ts";

const { origin } = relyingParty;

/** Pages of http://localhost:3000, where nobody listens: the test passes their requests on to the service. */
const test = baseTest
  .extend("localhost", async ({ browser, service }, { onCleanup }): Promise<BrowserContext> => {
    const context = await browser.newContext();
    onCleanup(() => context.close());
    await context.grantPermissions(["local-network-access"], { origin });
    await context.route(`${origin}/**`, async (route) => {
      const path = route.request().url().slice(origin.length);
      if (path === "/tab") return route.fulfill({ contentType: "text/html", body: emptyPage });
      return route.fulfill({ response: await route.fetch({ url: service.url + path }) });
    });
    return context;
  })
  .extend("page", async ({ localhost }) => {
    const page = await localhost.newPage();
    await page.goto(`${origin}/tab`);
    await page.waitForFunction(() => document.title === "ready");
    return page;
  })
  .extend("cdp", async ({ localhost, page }) => {
    const session = await localhost.newCDPSession(page);
    await session.send("WebAuthn.enable");
    return session;
  })
  /** A person whose page is signed in. */
  .extend("person", async ({ service, page }) => {
    const person = await signUp(service);
    await signInByPassword(page, person);
    return person;
  });

/** Adds a device that keeps passkeys and verifies its user. */
async function addDevice(cdp: CDPSession, more: { transport?: "internal" | "usb"; isUserVerified?: boolean } = {}) {
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...more,
    },
  });
  return authenticatorId;
}

const passkeysOf = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

/** Resolves with what went wrong, or how many recovery codes there are. */
const addPasskey = (page: Page, label: string) =>
  page.evaluate(async (label) => {
    const { data, error } = await latchkey.addPasskey(label);
    if (!error) return data.recovery_codes?.length ?? 0;
    return "reason" in error ? error.reason : error.message;
  }, label);

/** Resolves with the type of the session's user, or what went wrong. */
const signIn = (page: Page, options = {}) =>
  page.evaluate(async (options) => {
    await latchkey.POST("/auth/logout");
    const { error } = await latchkey.signInWithPasskey(options);
    if (!error) return latchkey.session.current?.userType;
    if (error.code === "PASSKEY_FAILURE") return error.reason;
    return error.code === "INVALID_REQUEST" ? error.details.reason : error.code;
  }, options);

describe.skipIf(!hasChromium)("passkeys in Chromium", () => {
  test("two devices have a passkey each, and each signs in by itself", async ({ page, cdp, person }) => {
    const first = await addDevice(cdp);
    expect(await addPasskey(page, "phone")).toBe(10);
    expect(await addPasskey(page, "phone again")).toBe("exists");
    expect(await signIn(page)).toBe("user");
    const passkeys = await passkeysOf(cdp, first);
    expect(passkeys).toMatchObject([{ isResidentCredential: true, userName: person.phone, rpId: "localhost" }]);

    const second = await addDevice(cdp, { transport: "usb" });
    expect(await addPasskey(page, "key")).toBe(0);
    expect(await passkeysOf(cdp, second)).toMatchObject([{ userHandle: passkeys[0]!.userHandle }]);
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: first });
    expect(await signIn(page)).toBe("user");
  });

  test("a passkey is the second step after a password", async ({ page, cdp, person }) => {
    await addDevice(cdp);
    await addPasskey(page, "phone");
    const userType = await page.evaluate(async (body) => {
      await latchkey.POST("/auth/logout");
      const { challenge } = await latchkey.POST("/auth/login", { body });
      const { error } = (await challenge?.usePasskey()) ?? {};
      return error ? error.message : latchkey.session.current?.userType;
    }, person);
    expect(userType).toBe("user");
  });

  test("a copy of a passkey is refused once the passkey has counted further", async ({
    page,
    cdp,
    person: _person,
  }) => {
    const device = await addDevice(cdp);
    await addPasskey(page, "phone");
    const [copied] = await passkeysOf(cdp, device);
    expect(await signIn(page)).toBe("user");
    expect(await signIn(page)).toBe("user");
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: device });
    const other = await addDevice(cdp);
    await cdp.send("WebAuthn.addCredential", { authenticatorId: other, credential: copied! });
    expect(await signIn(page)).toBe("login_refused");
  });

  test("a device that does not verify its user signs nobody in", async ({ page, cdp, person: _person }) => {
    const device = await addDevice(cdp);
    await addPasskey(page, "phone");
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified: false });
    expect(await signIn(page)).toBe("cancelled");
  });

  // A virtual device chooses its passkey at once, as a person does in the autofill
  // (https://github.com/w3c/webauthn/issues/2010, read on 2026-11-28).
  test("a passkey that is chosen in the autofill signs in", async ({ page, cdp, person: _person }) => {
    await addDevice(cdp);
    await addPasskey(page, "phone");
    await page.evaluate(() => {
      document.body.insertAdjacentHTML("beforeend", '<input autocomplete="username webauthn">');
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        document.title = options?.mediation ?? "a dialog";
        return get(options);
      };
    });
    expect(await signIn(page, { autofill: true })).toBe("user");
    expect(await page.title()).toBe("conditional");
  });

  test("autofill waits without a dialog, and another request ends it", async ({ page, cdp, person: _person }) => {
    const device = await addDevice(cdp);
    await addPasskey(page, "phone");
    expect(await page.evaluate(() => latchkey.passkeySupport())).toEqual({ passkeys: true, autofill: true });
    await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: device, enabled: false });
    const waiting = signIn(page, { autofill: true });
    await page.waitForRequest(/passkey\/options/);
    await page.evaluate(async () => {
      const end = new AbortController();
      const other = latchkey.signInWithPasskey({ signal: end.signal });
      setTimeout(() => end.abort(), 1000);
      await other;
    });
    expect(await waiting).toBe("cancelled");
  });
});
