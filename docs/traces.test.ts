import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { childEnvironment } from "../testing/child_environment.ts";
import { eventually } from "../testing/eventually.ts";
import { test as baseTest } from "../testing/fixtures.ts";
import { newPhone } from "../testing/service/people.ts";
import { createRestClient } from "../testing/service/rest_client.ts";
import { receiptSettings } from "../testing/service/service.ts";
import { postAsGateway } from "../tests/fixtures/receipt_fixtures.ts";

const root = join(import.meta.dirname, "..");
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

interface Span {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string }[];
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface Resource {
  attributes: { key: string; value: { stringValue?: string } }[];
}
interface Export {
  resourceSpans: { resource: Resource; scopeSpans: { spans: Omit<Span, "service">[] }[] }[];
}

/** Stands in for a collector: takes OTLP over HTTP as JSON. */
async function startCollector() {
  const spans: Span[] = [];
  let received = "";
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      received += text;
      for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, received: () => received };
}

/** Starts a program, and resolves with its log once it is ready. */
async function startProgram(name: string, env: NodeJS.ProcessEnv, ready: string): Promise<() => string> {
  const child = spawn(process.execPath, [join(root, name, "main.ts")], {
    env: { ...childEnvironment(), ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await eventually(`${name} writes: ${ready}`, () => output.includes(ready));
  return () => output;
}

const urlOf = (log: string): string => /"url":"([^"]+)"/.exec(log)?.[1]?.replace("localhost", "127.0.0.1") ?? "";

test("one trace leads from the request over the SQL function and the queue to the vendor and its receipt", async ({
  database,
  gateway,
}) => {
  const collector = await startCollector();
  const env = (program: string) => ({
    ...database.env,
    ...receiptSettings,
    PORT: "0",
    HOST: "127.0.0.1",
    GRAPHQL_UPSTREAM: "off",
    NODE_OPTIONS: `--import=${join(root, "examples", "monitoring", "traces.ts")}`,
    OTEL_SERVICE_NAME: program,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  const serverLog = await startProgram("server", env("server"), "the server is listening");
  await startProgram("worker", env("worker"), "the worker is waiting for jobs");
  const client = createRestClient(urlOf(serverLog()));

  const phone = newPhone();
  // A stranger's traceparent is not taken over.
  const stranger = "0af7651916cd43dd8448eb211c80319c";
  const sent = await client.sendOtp(phone, "LOGIN", { traceparent: `00-${stranger}-b7ad6b7169203331-01` });
  expect(sent.status).toBe(200);
  const sms = await gateway.next(phone);
  expect((await postAsGateway(client, { id: sms.id, status: "delivered" })).status).toBe(200);
  const named = (name: string) => collector.spans.find((span) => span.name === name);
  const names = ["POST /api/v1/otp/send", "api.send_otp", "process send_otp", "send http", "receipt"];
  const receiptRequest = "POST /api/v1/otp/receipts/http";
  await eventually("all spans arrive", () => [...names, receiptRequest].every((name) => named(name)));

  // Each is the child of the one before.
  const chain = names.map((name) => named(name)!);
  for (const [position, span] of chain.entries()) {
    expect([span.name, span.parentSpanId]).toEqual([span.name, chain[position - 1]?.spanId]);
    expect(span.traceId).toBe(chain[0]?.traceId);
  }
  expect(chain.map(({ service, kind }) => [service, kind])).toEqual([
    ["server", 2],
    ["server", 3],
    ["worker", 5],
    ["worker", 3],
    ["server", 5],
  ]);
  expect(chain[0]?.traceId).not.toBe(stranger);
  expect(named("receipt")?.links?.map(({ traceId }) => traceId)).toEqual([named(receiptRequest)?.traceId]);
  await eventually("the log names the trace", () => serverLog().includes(`"traceId":"${chain[0]?.traceId}"`));
  const [attempt] = await database.query<{ trace: string }>("select trace from platform.delivery_attempt");
  expect(attempt?.trace).toBe(`00-${chain[3]?.traceId}-${chain[3]?.spanId}-01`);

  // Nothing personal in it: no phone, no code, no id of a row or a person, no URL.
  const keys = new Set(collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].sort()).toEqual([
    "db.stored_procedure.name",
    "db.system.name",
    "http.request.method",
    "http.response.status_code",
    "http.route",
    "latchkey.channel",
    "latchkey.outcome",
    "latchkey.provider",
    "messaging.destination.name",
    "messaging.operation.name",
    "messaging.operation.type",
    "messaging.system",
  ]);
  for (const personal of [phone, phone.slice(1), sms.id, /\d{4,10}/.exec(sms.body)![0], String(sent.body.data?.otpId)])
    expect(JSON.stringify(collector.spans)).not.toContain(`"${personal}"`);
  expect(collector.received()).not.toMatch(/127\.0\.0\.1|otpId|\+1212/);
});

test("without variables of OpenTelemetry nothing of it is loaded, and without an SDK the log says what is missing", async ({
  database,
}) => {
  const hooks = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { if (url.includes("opentelemetry")) process.stdout.write("loaded " + url + "\\n"); return next(url, context); } });`;
  const env = {
    ...database.env,
    PORT: "0",
    HOST: "127.0.0.1",
    GRAPHQL_UPSTREAM: "off",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
  };
  const off = await startProgram("server", env, "the server is listening");
  expect(off()).not.toContain("loaded ");
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const withoutSdk = await startProgram("server", { ...env, ...endpoint }, "the server is listening");
  expect(withoutSdk()).toContain("no SDK of OpenTelemetry records");
  expect(withoutSdk()).toContain("loaded ");
});
