import { OperatorError, runMain } from "../../runtime/operator_error.ts";
import { inForce, processNames, type ProcessName } from "./in_force.ts";

/**
 * npm run config:check [-- server graphql worker migrator]: what each process would start with, and from where, without
 * secrets, and every fault at once. docs/configuration.md describes it.
 */
await runMain(() => {
  const names = process.argv.slice(2);
  const isName = (name: string): name is ProcessName => (processNames as string[]).includes(name);
  const unknown = names.find((name) => !isName(name));
  if (unknown !== undefined)
    throw new OperatorError(
      `There is no process ${unknown}. Usage: npm run config:check [-- ${processNames.join(" ")}]`,
    );
  const checked = names.length > 0 ? names.filter(isName) : processNames;
  const faults: string[] = [];
  for (const name of checked) {
    const { variables, problems } = inForce(name, process.env);
    const width = Math.max(...variables.map((variable) => variable.name.length));
    console.log(name);
    for (const variable of variables)
      console.log(`  ${variable.name.padEnd(width)}  ${variable.value ?? "-"}  (${variable.source})`);
    faults.push(...[...problems.values()].map((problem) => `  ${name}: ${problem}`));
  }
  if (faults.length > 0) throw new OperatorError(`The environment is invalid:\n${faults.join("\n")}`);
  return Promise.resolve();
});
