import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import { createServer } from "node:http";
import pg from "pg";

// A program of your own on the same tables: it verifies the token, tells PostgreSQL who asks, and selects.
const { LATCHKEY_URL = "http://localhost:3000", NOTES_DATABASE_URL, PORT = "4000" } = process.env;
const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", LATCHKEY_URL));
const pool = new pg.Pool({ connectionString: NOTES_DATABASE_URL });

async function countNotes(authorization = "") {
  const token = authorization.replace(/^Bearer /, "");
  const { payload } = await jwtVerify(token, keys, { issuer: "latchkey", audience: "latchkey-api", typ: "at+jwt" });
  const connection = await pool.connect();
  let failure;
  try {
    await connection.query("begin");
    await connection.query("select latchkey.begin_session($1)", [payload]);
    const { rows } = await connection.query("select count(*)::integer as notes from note");
    await connection.query("commit");
    return rows[0];
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection whose transaction failed is closed.
    connection.release(failure);
  }
}

const server = createServer((request, response) => {
  countNotes(request.headers.authorization).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error) => {
      const isRefused = error instanceof errors.JOSEError;
      if (!isRefused) console.error(error);
      response.writeHead(isRefused ? 401 : 503).end();
    },
  );
});
server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));
