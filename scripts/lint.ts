import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { ESLint } from "eslint";
import ts from "typescript";

// Checks the types of every project, and then its rules on the same programs: ESLint and tsc each spend most of their
// time on finding out the types. With --types no rules are checked.

const root = join(import.meta.dirname, "..");
const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
};
const print = (diagnostics: readonly ts.Diagnostic[]) => {
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(diagnostics, host));
  if (diagnostics.length > 0) process.exitCode = 1;
};

const sourceFiles = new Map<string, ts.SourceFile | undefined>();
/** Projects share what is parsed: most files of each are of the library or of the main project. */
function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost["getSourceFile"] = (name, how, ...rest) => {
    const key = JSON.stringify([name, how, options.jsx]);
    const file = sourceFiles.get(key) ?? host.getSourceFile(name, how, ...rest);
    sourceFiles.set(key, file);
    return file;
  };
  return { ...host, getSourceFile };
}

function openProject(folder: string) {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, folder, "tsconfig.json"), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault) => {
      print([fault]);
    },
  });
  if (!config) throw new Error(`${folder} has no tsconfig.json that can be read`);
  const { options, fileNames, errors } = config;
  print(errors);
  return { folder, fileNames, program: ts.createProgram({ rootNames: fileNames, options, host: createHost(options) }) };
}

const main = openProject(".");
const foreign = ["**/node_modules/**", ".cache/**", ".latchkey/**"];
const parts = globSync("*/**/tsconfig.json", { cwd: root, exclude: foreign }).map(dirname).map(openProject);

for (const { fileNames, program } of [main, ...parts]) {
  // What a project only imports is checked in its own.
  const ofFiles = fileNames
    .map((name) => program.getSourceFile(name))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  print([...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...ofFiles]);
}

if (!process.argv.includes("--types")) {
  const of = (files: string, programs: ts.Program[]) => ({
    files: [files],
    languageOptions: { parserOptions: { programs, projectService: false } },
  });
  const eslint = new ESLint({
    cwd: root,
    overrideConfig: [
      of("**/*.ts", [main.program]),
      ...parts.map(({ folder, program }) => of(`${folder}/**/*.ts`, [program, main.program])),
    ],
  });
  const results = await eslint.lintFiles(".");
  process.stdout.write(await (await eslint.loadFormatter()).format(results));
  if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
}
