import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";

export interface LoginFlood {
  url: string;
  /** Number of client addresses. Address n uses account n. */
  addresses: number;
  /** Requests in flight per address. */
  inFlight: number;
  accounts: { phone: string; password: string }[];
}

/** Worker thread that logs in, guesses and registers at full speed. Any message makes it post the counts of response statuses. */
const { url, addresses, inFlight, accounts } = workerData as LoginFlood;
const pool = new Pool(url, { connections: addresses * inFlight });
const statuses: Record<number, number> = {};
let phones = 0;

const newPhone = () => `+1213555${String(phones++ % 10_000).padStart(4, "0")}`;
function nextRequest(turn: number, account: object | undefined): { path: string; body: object } {
  if (turn % 4 === 0) return { path: "/login", body: { ...account } };
  if (turn % 4 === 1) return { path: "/login", body: { ...account, password: "wrong" } };
  if (turn % 4 === 2) return { path: "/login", body: { phone: newPhone(), password: "wrong" } };
  return { path: "/register", body: { phone: newPhone(), password: "correct horse battery" } };
}

async function flood(address: number, lane: number): Promise<never> {
  for (let turn = lane; ; turn++) {
    const { path, body } = nextRequest(turn, accounts[address]);
    const answer = await pool.request({
      path: `/api/v1/auth${path}`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `203.0.113.${address}:${4000 + lane}`,
      },
      body: JSON.stringify(body),
    });
    await answer.body.dump();
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
  }
}

parentPort?.on("message", () => parentPort?.postMessage(statuses));
for (let address = 0; address < addresses; address++)
  for (let lane = 0; lane < inFlight; lane++) void flood(address, lane);
