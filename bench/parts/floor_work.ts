import { createLeanClient } from "./lean_client.ts";
import type { Listening } from "./measured_service.ts";
import type { Program } from "./route_work.ts";

/** What Express and PostgreSQL need for a request without any rule: see floor_server.ts. */
export function floors({ url, pids }: Listening): Program {
  const client = createLeanClient(url, 64);
  const floor = (request: () => Promise<unknown>) => () => async () => {
    const { data } = (await request()) as { data?: { id?: string } };
    if (typeof data?.id !== "string") throw new Error("the floor answered without an id");
  };
  const [select, insert] = [floor(() => client.get("/select")), floor(() => client.post("/insert"))];
  return {
    name: "floor",
    pids,
    work: {
      "guest session": insert,
      refresh: insert,
      logout: insert,
      "wrong code": insert,
      "verify a registration": insert,
      "login by code": insert,
      "OTP send": insert,
      "session check": select,
      "GraphQL by key": select,
      health: floor(() => client.get("/hello")),
      login: floor(() => client.post("/bcrypt")),
      "login by passkey": insert,
      "login by password and TOTP": floor(() => client.post("/bcrypt")),
    },
    close: client.close,
  };
}
