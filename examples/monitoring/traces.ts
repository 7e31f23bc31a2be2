// Sends the traces of a program to the collector that the variables OTEL_… name:
//   npm install @opentelemetry/sdk-node
//   NODE_OPTIONS=--import=/latchkey/examples/monitoring/traces.ts OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 npm run server
// It loads no instrumentation: those of HTTP record whole URLs, with the ids in them.
import { NodeSDK } from "@opentelemetry/sdk-node";

const sdk = new NodeSDK({ instrumentations: [] });
sdk.start();
