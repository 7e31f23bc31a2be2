import {
  access,
  object,
  operationPlan,
  Step,
  type ExecutionDetails,
  type GrafastResultsList,
} from "postgraphile/grafast";
import type { SQL } from "postgraphile/pg-sql2";
import type { Column } from "./columns.ts";
import type { ListArguments } from "./lists.ts";

/** Creates steps that depend on arguments alone. Those of a nested field would belong to its row otherwise. */
export const atRoot = <T>(create: () => T): T => operationPlan().withRootLayerPlan(create);

/** One value of `aggregate { … }`. */
export interface Request {
  columns: (args: never) => Column[];
  toSql: (alias: SQL, args: never) => SQL;
}

/** What the fields of one `aggregate { … }` ask for, and their arguments. */
export interface Aggregation {
  list: ListArguments;
  values: (Request & { args: unknown })[];
}

/** Collects, while the fields of `aggregate { … }` are planned, what they ask for. */
export class AggregationStep extends Step<Aggregation> {
  static override $$export = { moduleName: "latchkey", exportName: "AggregationStep" };
  private readonly requests: Request[] = [];
  constructor($list: Step<ListArguments>) {
    super();
    this.isSyncAndSafe = true;
    this.addUnaryDependency($list);
  }
  /** @returns its index among the results */
  add(request: Request, $args: Step): number {
    this.addUnaryDependency($args);
    return this.requests.push(request) - 1;
  }
  override execute({ values, indexMap }: ExecutionDetails): GrafastResultsList<Aggregation> {
    const [list, ...args] = values.map((value) => value.at(0) as unknown);
    const aggregation = {
      list: list as ListArguments,
      values: this.requests.map((request, index) => ({ ...request, args: args[index] })),
    };
    return indexMap(() => aggregation);
  }
}

/** The results of an aggregation, in its order. */
export class AggregateStep extends Step<unknown[]> {
  static override $$export = { moduleName: "latchkey", exportName: "AggregateStep" };
  readonly aggregation: AggregationStep;
  constructor($results: Step<unknown[]>, aggregation: AggregationStep) {
    super();
    this.isSyncAndSafe = true;
    this.aggregation = aggregation;
    this.addDependency($results);
  }
  result(request: Request, args: Record<string, Step> = {}): Step {
    return access(this, [
      this.aggregation.add(
        request,
        atRoot(() => object(args)),
      ),
    ]);
  }
  override execute({ values: [results], indexMap }: ExecutionDetails<[unknown[]]>): GrafastResultsList<unknown[]> {
    return indexMap((index) => results.at(index));
  }
}

/** `aggregate` and `nodes` of one field. */
export class AggregateFieldStep extends Step {
  static override $$export = { moduleName: "latchkey", exportName: "AggregateFieldStep" };
  readonly aggregate: AggregateStep;
  readonly nodes: () => Step;
  constructor(aggregate: AggregateStep, nodes: () => Step) {
    super();
    this.isSyncAndSafe = true;
    this.aggregate = aggregate;
    this.nodes = nodes;
    this.addDependency(aggregate);
  }
  override execute({ indexMap }: ExecutionDetails): GrafastResultsList<unknown> {
    return indexMap(() => true);
  }
}
