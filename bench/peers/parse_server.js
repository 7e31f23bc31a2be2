import express from "express";
import console from "node:console";
import { createServer } from "node:http";
import { env } from "node:process";
import { ParseGraphQLServer, ParseServer } from "parse-server";

/** parse-server with its own defaults, on the tables that it creates in DATABASE_URL. Prints its own URL. */
const app = express();
const server = createServer(app).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const parse = new ParseServer({
    databaseURI: env.DATABASE_URL,
    appId: "bench",
    masterKey: "a key of the benchmark",
    serverURL: `${url}/parse`,
    allowClientClassCreation: true,
    silent: true,
  });
  await parse.start();
  app.use("/parse", parse.app);
  new ParseGraphQLServer(parse, { graphQLPath: "/graphql" }).applyGraphQL(app);
  console.log(JSON.stringify({ url }));
});
