import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { within } from "./within.ts";

/**
 * Label values in the order of the metric's label names. They come from lists of our own, never from a client: no phone,
 * no id.
 */
export type LabelValues = readonly string[];

/** What one metric is named and labelled. */
interface Definition {
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface Metrics {
  /** Returns a function that adds to the counter. */
  counter: (definition: Definition) => (values: LabelValues, by?: number) => void;
  /** Returns a function that records a value. */
  histogram: (definition: Definition & { buckets: readonly number[] }) => (values: LabelValues, value: number) => void;
  /** Reads the gauge's values at each scrape. */
  gauge: (definition: Definition, read: () => Iterable<readonly [LabelValues, number]>) => void;
  /** Called before each scrape, for values of several gauges. A scrape does not wait for it for longer than a second. */
  beforeScrape: (refresh: () => Promise<void>) => void;
  /** All metrics as Prometheus reads them. */
  text: () => Promise<string>;
  contentType: string;
}

/** Series of one metric, far above what any list of ours makes. Beyond them all labels are "other". */
const mostSeries = 2_000;
const other = "other";
const refreshMs = 1_000;

/**
 * Creates the metrics of one program.
 * @param program a label of every series, so that one query serves however an installation names its targets
 */
export function createMetrics(program: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ program });
  collectDefaultMetrics({ register: registry });
  const refreshes: (() => Promise<void>)[] = [];

  const common = ({ name, help, labels = [] }: Definition) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  return {
    counter(definition) {
      const counter = new Counter(common(definition));
      const child = bounded(definition, (labels) => counter.labels(...labels));
      return (values, by) => child(values).inc(by);
    },
    histogram(definition) {
      const histogram = new Histogram({ ...common(definition), buckets: [...definition.buckets] });
      const child = bounded(definition, (labels) => histogram.labels(...labels));
      return (values, value) => child(values).observe(value);
    },
    gauge(definition, read) {
      new Gauge({
        ...common(definition),
        collect() {
          // What no longer exists has no series any more; after a reset, a gauge without labels would be 0.
          this.reset();
          if (definition.labels === undefined) this.remove();
          const child = bounded(definition, (labels) => this.labels(...labels));
          for (const [values, value] of read()) child(values).set(value);
        },
      });
    },
    beforeScrape: (refresh) => refreshes.push(refresh),
    async text() {
      await within(refreshMs, Promise.all(refreshes.map((refresh) => refresh())));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Returns the series of label values, which is looked up in prom-client once: hashing them costs more than counting. */
function bounded<Child>(
  { labels = [] }: Definition,
  find: (values: string[]) => Child,
): (values: LabelValues) => Child {
  const children = new Map<string, Child>();
  const childOf = (key: string, values: LabelValues): Child => {
    const found = children.get(key) ?? find([...values]);
    children.set(key, found);
    return found;
  };
  const others = labels.map(() => other);
  return (values) => {
    const key = values.join("\n");
    return children.has(key) || children.size < mostSeries ? childOf(key, values) : childOf(other, others);
  };
}
