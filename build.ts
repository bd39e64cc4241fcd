/**
 * Builds the published files of the root and of each package under `packages`: a module per entry point, chunks that several entry points
 * share, and their declarations. Dependencies are not bundled, except for the command line: installing it installs a single package.
 * Usage: node build.ts [PACKAGE...]  builds only the packages with these names; by default all.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, type RolldownOptions, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Bundles what lazy `require` calls load, in code that cannot await an import, as files of their own, which are loaded at the first call. */
const lazyRequire: Plugin = {
  name: 'lazy-require',
  transform: {
    filter: { code: 'const require = createRequire(import.meta.url);' },
    handler(code, importer) {
      return code.replaceAll(/\brequire\('([^']+)'\)/g, (_, id: string) => {
        const fileName = `${id.replaceAll(/\W+/g, '-').replace(/^-/, '')}.js`;
        this.emitFile({ type: 'chunk', id, importer, fileName });
        return `require('./${fileName}')`;
      });
    },
  },
};

/** Keeps commander from loading a module that takes longer to load than all of commander: it starts programs for commands that we do not have. */
const withoutPrograms: Plugin = {
  name: 'without-programs',
  transform: {
    filter: { id: /commander\/lib\/command\.js$/ },
    handler: (code) => code.replace("import childProcess from 'node:child_process';", 'const childProcess = {};'),
  },
};

/** Loads modules of Node.js without their view as ES modules: that view reads every export, which loads modules that no command needs. */
const withoutBuiltinViews: Plugin = {
  name: 'without-builtin-views',
  renderChunk: (code) =>
    code.replace(/^import\s*(?:\*\s*as\s+)?([\w$]+)?\s*,?\s*(\{[^}]*\})?\s*from\s*["'](node:[\w/]+)["'];?$/gm, (_, all, some, name) => {
      const module = `process.getBuiltinModule("${name}")`;
      return [all && `const ${all} = ${module};`, some && `const ${some.replaceAll(/\s+as\s+/g, ': ')} = ${module};`]
        .filter(Boolean)
        .join('\n');
    }),
};

/** Escapes characters outside of ASCII: a module with a single one of them takes twice the memory, and longer to load. */
const onlyAscii: Plugin = {
  name: 'only-ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escapeUnit);
  },
};

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const root = import.meta.dirname;

/** Matches the files in folders, relative to the root, and files whose path begins so. */
const isBelow =
  (...paths: readonly string[]) =>
  (id: string): boolean =>
    paths.some((path) => id.startsWith(join(root, path)));

/**
 * Modules in one chunk, with what they import, unless an earlier group contains it. Without groups, each combination of entry points or
 * commands that share modules would have a chunk of its own: a command would load 45 files instead of 10, which takes longer than to load
 * some modules that it does not need. All groups but the first are for the command line, which starts with the modules of the second; the
 * third is for commands that run until they are stopped.
 */
const chunkGroups = [
  { name: 'apimachinery', test: isBelow('src/apimachinery/') },
  {
    name: 'start',
    test: isBelow(
      ...['base/', 'process.', 'main.', 'flags/common.', 'print/text.', 'input/sources.'].map((path) => `packages/cli/src/${path}`),
      'node_modules/commander/',
    ),
  },
  {
    name: 'live',
    test: isBelow(
      ...['live/embedded.', 'live/listen.', 'live/files.', 'live/error-log.', 'input/problem.', 'flags/duration.'].map(
        (path) => `packages/cli/src/${path}`,
      ),
    ),
  },
  { name: 'core', test: isBelow('src/port/', 'src/types/', 'src/versions/', 'src/allocators/') },
  { name: 'cel', test: isBelow('packages/cel/', 'node_modules/@marcbachmann/cel-js/', 'node_modules/re2js/') },
  {
    name: 'apiserver',
    test: (id: string): boolean => isBelow('packages/apiserver/src/')(id) && !/\/(data|protobuf)\/|\/(credentials|compiled)\./.test(id),
  },
].map((group, index, { length }) => ({ ...group, priority: length - index }));
const sourceCondition = 'kube-endpoints-source';
/** In dependency order: the declarations of a package import those of packages that are built before. */
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly workspaces: readonly string[] };
const folders = [root, ...workspaces.map((name) => join(root, name))];
const packageNames = process.argv.slice(2);

for (const folder of folders) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (packageNames.length > 0 && !packageNames.includes(manifest.name)) continue;
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  if (folder !== root) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await buildModules(folder, manifest);
}

async function buildModules(folder: string, { exports, bin, dependencies = {}, peerDependencies = {} }: Manifest): Promise<void> {
  const input: Record<string, string> = {};
  for (const target of Object.values(exports)) {
    if (typeof target === 'string') continue;
    const { [sourceCondition]: source = '', default: built = '' } = target;
    input[nameOf(built)] = join(folder, source);
  }
  const isFromPackage = (names: object, id: string): boolean => Object.keys(names).some((name) => id === name || id.startsWith(`${name}/`));
  // A bundled dependency imports a library that is an optional peer dependency of our own modules.
  const external = (id: string, importer = ''): boolean =>
    isFromPackage(dependencies, id) || (isFromPackage(peerDependencies, id) && !importer.includes('/node_modules/'));
  const commonOptions = {
    cwd: folder,
    external,
    platform: folder === root ? 'neutral' : 'node',
    resolve: { conditionNames: [sourceCondition, 'node', 'import', 'default'] },
  } satisfies RolldownOptions;
  const output = {
    dir: join(folder, 'dist'),
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  };
  const programs = Object.values(bin ?? {}).map((built) => [nameOf(built), join(folder, 'src', `${nameOf(built)}.ts`)]);
  const modules = await rolldown({
    ...commonOptions,
    input: { ...input, ...Object.fromEntries(programs) },
    plugins: [onlyAscii, ...(bin === undefined ? [] : [lazyRequire, withoutPrograms, withoutBuiltinViews])],
  });
  // The root's tarball has a limit of size, and a command starts faster. Names of functions and classes stay, for stack traces.
  const keepNames = { function: true, class: true };
  const minify =
    (folder === root || bin !== undefined) &&
    ({ compress: { target: 'es2024', keepNames }, mangle: { toplevel: true, keepNames }, codegen: { removeWhitespace: true } } as const);
  const codeSplitting = { groups: bin === undefined ? chunkGroups.slice(0, 1) : chunkGroups };
  const { output: chunks } = await modules.write({ ...output, minify, codeSplitting, format: 'esm' });
  writeLicences(
    folder,
    chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
  );
  const declarations = await rolldown({
    ...commonOptions,
    input,
    plugins: [dts({ emitDtsOnly: true, generator: 'oxc', tsconfig: false, sourcemap: false })],
  });
  await declarations.write({ ...output, format: 'esm' });
  if (folder === root) removeInternalComments(output.dir);
}

/** Removes the comments of declarations that only the other packages use, because the root's tarball has a limit of size. */
function removeInternalComments(folder: string): void {
  for (const file of readdirSync(folder).filter((name) => /^internal.*\.d\.ts$/.test(name))) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace(/^\s*\/\*\*.*?\*\/\n/gms, ''));
  }
}

/** Writes the licences of the bundled packages. Writes no file if there are no bundled packages. */
function writeLicences(folder: string, modules: readonly string[]): void {
  const packageFolders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []));
  const texts = [...packageFolders].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, string>;
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim()}\n`;
  });
  if (texts.length > 0) writeFileSync(join(folder, 'dist', 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

function nameOf(built: string): string {
  return built.replace('./dist/', '').replace(/\.js$/, '');
}
