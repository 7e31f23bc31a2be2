import pg from "pg";
import { parseDatabaseAddress } from "./address.ts";
import { DatabaseConnection } from "./connection.ts";

/** A client of node-pg that reads its address, and logs in to one of its hosts, as libpq does. */
export class DatabaseClient extends pg.Client {
  constructor({ connectionString = "", ...options }: pg.ClientConfig = {}) {
    const address = parseDatabaseAddress(connectionString);
    super({
      ...options,
      ...address.parameters,
      ...address.hosts[0],
      // Both are the connection's business: node-pg neither falls back to plain text nor tries a second host.
      ssl: false,
      sslnegotiation: "postgres",
      enableChannelBinding: address.channelBinding !== "disable",
      connection: new DatabaseConnection(address, options),
    } as pg.ClientConfig);
  }
}
