import { expect, onTestFinished, test, vi } from "vitest";
import { createLatchkey } from "../src/index.ts";
import { accessToken, fakeFetch } from "./fake_service.ts";

test("a localStorage that is full keeps no older tokens; the page goes on with the new ones", async () => {
  const stored = new Map<string, string>();
  let isFull = false;
  vi.stubGlobal("window", {});
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException("Full.", "QuotaExceededError");
      stored.set(key, value);
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { fetch } = fakeFetch(({ url }) => {
    const isGuest = url.endsWith("/guest");
    const claims = isGuest ? { sid: "guest", user_type: "guest" } : { sid: "user" };
    return Response.json({ data: { access_token: accessToken(claims), refresh_token: "r.e.f" }, meta: {} });
  });
  const latchkey = createLatchkey({ url: "https://auth.example.com", fetch });
  await latchkey.session.ensureGuest();
  expect(stored.get("latchkey")).toBeTruthy();

  isFull = true;
  const { error } = await latchkey.POST("/auth/login", { body: { phone: "+12125550123", password: "x" } });
  expect(error).toBeUndefined();
  expect(latchkey.session.current?.id).toBe("user");
  expect((await latchkey.session.accessToken()).data).toBeTruthy();
  expect(stored.get("latchkey")).toBeUndefined();

  await latchkey.session.forget();
  expect((await latchkey.session.accessToken()).data).toBeNull();
  latchkey.close();
});
