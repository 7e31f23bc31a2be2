import { test as baseTest } from "vitest";
import { startService, type Service, type ServiceOptions } from "./service/service.ts";
import { createTestDatabase, type TestDatabaseOptions } from "./postgres/test_database.ts";

/**
 * vitest's `test` with the resources that most files share. vitest starts a resource when the first test of a file
 * names it and stops it after the file's last test; each file has its own, so files run in parallel.
 *
 * A file extends it by options of its own, and overrides none, because files share it:
 * `const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }))`.
 */
export const test = baseTest
  .extend("databaseOptions", { scope: "file" }, (): TestDatabaseOptions => ({}))
  /** A database that only this file uses. */
  .extend("database", { scope: "file" }, async ({ databaseOptions }, { onCleanup }) => {
    const database = await createTestDatabase(databaseOptions);
    onCleanup(() => database.drop());
    return database;
  })
  .extend("serviceOptions", { scope: "file" }, (): Omit<ServiceOptions, "database"> => ({}))
  /** The whole service, on `database`. */
  .extend("service", { scope: "file" }, async ({ database, serviceOptions }, { onCleanup }) => {
    const service = await startService({ ...serviceOptions, database });
    onCleanup(() => service.stop());
    return service;
  })
  .extend("client", { scope: "file" }, ({ service }) => service.client)
  .extend("gateway", { scope: "file" }, ({ service }) => service.gateway)
  /** Starts further services, each on a database of its own, for one test. */
  .extend("startOtherService", ({}, { onCleanup }) => {
    const services: Service[] = [];
    onCleanup(async () => {
      for (const service of services) await service.stop();
    });
    return async (options: ServiceOptions = {}): Promise<Service> => {
      const service = await startService(options);
      services.push(service);
      return service;
    };
  });
