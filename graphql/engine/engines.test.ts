import type pg from "pg";
import { expect } from "vitest";
import type { PipelinedConnection } from "../../runtime/database/pipeline.ts";
import { graphqlConfig } from "../../config/config.ts";
import { createEngines } from "./engines.ts";
import { test } from "./execution/fixtures/reads_fixtures.ts";

const optionsOf = (pool: pg.Pool, shared: PipelinedConnection, env: NodeJS.ProcessEnv) => ({
  config: graphqlConfig(env),
  pools: { guests: pool, users: pool, admin: pool },
  introspectionPool: pool,
  shared,
  prepareStatements: true,
});

test("no transaction that reads the catalog is open while the other audience's schema is created", async ({
  database,
  pool,
  shared,
}) => {
  let [taken, most] = [0, 0];
  pool.on("acquire", () => (most = Math.max(most, ++taken)));
  pool.on("release", () => taken--);
  await createEngines({ ...optionsOf(pool, shared, database.env), application: { schemas: [], live: new Map() } });
  expect(pool.options.max).toBe(2);
  expect(most).toBe(1);
});

test("names of an application that GraphQL cannot have are named to the operator", async ({
  database,
  pool,
  shared,
}) => {
  const start = () =>
    createEngines({ ...optionsOf(pool, shared, database.env), application: { schemas: ["app"], live: new Map() } });
  await database.query(`create schema app; grant usage on schema app to latchkey_user;
    create type app.pair as (one integer, two text); create domain app.checked as app.pair check ((value).one > 0);
    create table app.album (id integer primary key, songs text, pairs app.pair[], checked app.checked);
    create table app.song (id integer primary key, album_id integer references app.album);
    grant select, insert, update on app.album, app.song to latchkey_user`);
  await expect(start()).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(/^GRAPHQL_SCHEMAS: .*'songs'.*app_album.*@foreignFieldName/) as string,
  });
  await database.query("comment on constraint song_album_id_fkey on app.song is '@foreignFieldName tracks'");
  const { user } = await start();
  expect(Object.keys(user.audience.schema.getMutationType()?.getFields() ?? {})).toContain("insert_app_album_one");
});
