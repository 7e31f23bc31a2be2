import { expect, onTestFinished, test, vi } from "vitest";
import { createLatchkey, memoryTokenStorage, type TokenStorage } from "../src/index.ts";
import { accessToken, fakeFetch } from "./fake_service.ts";

/** A tab's view of a shared storage: what another tab writes is read a moment later. */
function tabStorage(shared: TokenStorage): TokenStorage {
  const seen = memoryTokenStorage();
  return {
    sharedAs: "test",
    read: seen.read,
    async write(value) {
      await seen.write(value);
      await shared.write(value);
    },
  };
}

test("a tab whose storage does not yet show another tab's guest session opens none of its own", async () => {
  let guests = 0;
  const { requests, fetch } = fakeFetch(() => {
    const data = {
      access_token: accessToken({ sid: `guest ${++guests}`, user_type: "guest" }),
      refresh_token: "r.e.f",
    };
    return Response.json({ data, meta: {} });
  });
  const second = tabStorage(memoryTokenStorage());
  const later: TokenStorage = {
    read: () => null,
    write: (value) => void setTimeout(() => void second.write(value), 5),
  };
  const tabs = [tabStorage(later), second].map((storage) =>
    createLatchkey({ url: "https://auth.example.com", storage, fetch }),
  );
  const ids: (string | undefined)[] = [];
  for (const tab of tabs) ids.push((await tab.session.ensureGuest()).data?.id);
  expect(ids).toEqual(["guest 1", "guest 1"]);
  expect(requests).toHaveLength(1);
  for (const tab of tabs) tab.close();
});

const brokenDatabases = [
  {
    name: "refuses to open",
    open: (): object => {
      throw new DOMException("Denied.", "SecurityError");
    },
  },
  { name: "never answers", open: () => ({}) },
];

test.for(brokenDatabases)("a browser whose IndexedDB $name signs in and out all the same", async ({ open }) => {
  const openings = vi.fn(open);
  vi.stubGlobal("indexedDB", { open: openings });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { fetch } = fakeFetch(() =>
    Response.json({ data: { access_token: accessToken(), refresh_token: "r.e.f" }, meta: {} }),
  );
  const storage = { ...memoryTokenStorage(), sharedAs: "test" };
  const latchkey = createLatchkey({ url: "https://auth.example.com", storage, fetch });
  expect((await latchkey.session.ensureGuest()).data?.id).toBe("session");
  await latchkey.session.forget();
  expect(latchkey.session.current).toBeNull();
  latchkey.close();
  expect(openings, "after a failure it is not asked again").toHaveBeenCalledOnce();
});
