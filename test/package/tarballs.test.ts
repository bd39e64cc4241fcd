import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readMarkdown } from '../support/markdown.ts';
import { installTarballs, packTarball, type Tarball } from '../support/pack.ts';
import { entriesOf, isInternal, packages, readTextFile, root } from '../support/repository.ts';
import { runNode } from '../support/run.ts';
import { writeFiles } from '../support/temporary.ts';

const entries = packages.flatMap(entriesOf);
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const rows = packages.map(({ folder, manifest }, i) => ({ name: manifest.name, folder, manifest, i }));
let tarballs: Tarball[] = [];
let project = '';

beforeAll(() => {
  tarballs = packages.map(packTarball);
  project = installTarballs(tarballs, ['@kubernetes/client-node', 'kubernetes-types', '@types/node']);
});

describe.each(rows)('the tarball of $name', ({ manifest, folder, i }) => {
  test('contains the build output, and neither sources nor source maps', () => {
    const paths = tarballs[i]?.files.map(({ path }) => path) ?? [];
    const isExpected = (path: string): boolean =>
      /^dist\/[\w.-]+(\.d\.ts|\.js|\.txt)$/.test(path) || /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/[\w.-]+)$/.test(path);
    expect(paths.filter((path) => !isExpected(path))).toEqual([]);
    const built = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : [target.types, target.default]));
    expect(paths).toEqual(expect.arrayContaining([...built.map((path) => path.slice(2)), 'README.md', 'LICENSE']));
  });

  test('imports only modules of Node.js, of the package and of its dependencies', () => {
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const isAllowed = (specifier: string): boolean =>
      specifier.startsWith('.') || isBuiltin(specifier) || dependencies.some((name) => `${specifier}/`.startsWith(`${name}/`));
    const imported = readdirSync(join(root, folder, 'dist'))
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readTextFile(join(folder, 'dist', file)).matchAll(
          /^(?:import|export)\b[^'"]*["']([^'"]+)["']|(?<!['"`])\brequire\(["']([^'"]+)["']\)/gm,
        ),
      ])
      .map(([, imported, required]) => imported ?? required ?? '');
    expect(imported.filter((specifier) => !isAllowed(specifier))).toEqual([]);
  });

  test('has a README whose relative links refer to files of the tarball', () => {
    const paths = new Set(tarballs[i]?.files.map(({ path }) => path));
    // Ignores pictures, which are not in the tarballs: registries load them from the repository, other tools show the alternative text.
    const { links } = readMarkdown(readTextFile(join(folder, 'README.md')).replace(/!\[[^\]]+\]\([^)]*\)/g, ''));
    const relative = links.filter((link) => !/^([a-z]+:|#)/.test(link)).map((link) => posix.normalize(link.replace(/#.*/, '')));
    expect(relative.filter((path) => !paths.has(path))).toEqual([]);
  });
});

/** 250 kB for the modules until 0.2, and 50 kB for `policy`, `gateway` and the causes of `explain` and `trace`. */
const maxRootSize = 301_000;

test('the tarball of the root has at most 301 kB and 120 files', () => {
  const [{ size, entryCount } = { size: Number.NaN, entryCount: Number.NaN }] = tarballs;
  console.log(`kube-endpoints: ${size} bytes, ${entryCount} files`);
  expect(size).toBeLessThanOrEqual(maxRootSize);
  expect(entryCount).toBeLessThanOrEqual(120);
});

test('the root package depends on two packages only, and has no peer or optional dependencies', () => {
  const [{ manifest }] = packages as [(typeof packages)[number]];
  expect(Object.keys(manifest.dependencies ?? {})).toEqual(['fast-deep-equal', 'immer']);
  expect({ ...manifest.peerDependencies, ...manifest.optionalDependencies }).toEqual({});
});

test('all packages have the same version, and depend on exactly that version of each other', () => {
  const ownNames = new Set(packages.map(({ manifest }) => manifest.name));
  const [{ manifest: first }] = packages as [(typeof packages)[number]];
  const versions = packages.flatMap(({ manifest }) => [
    manifest.version,
    ...Object.entries(manifest.dependencies ?? {}).flatMap(([name, version]) => (ownNames.has(name) ? [version] : [])),
  ]);
  expect(new Set(versions)).toEqual(new Set([first.version]));
});

describe('a project with the tarballs installed', () => {
  const names = JSON.stringify(entries.map(({ specifier }) => specifier));

  test('every entry can be imported and required, with the same names and values', () => {
    const script = `
      const differences = [];
      (async () => {
        for (const name of ${names}) {
          const required = require(name);
          const imported = await import(name);
          const keys = Object.keys(imported).sort();
          if (keys.join() !== Object.keys(required).sort().join() || keys.some((key) => required[key] !== imported[key]) || keys.includes('default')) differences.push(name);
        }
        console.log(JSON.stringify(differences));
        process.exit();
      })();`;
    const { stdout, stderr, status } = runNode(['--input-type=commonjs', '--eval', script], { cwd: project });
    expect({ status, stderr: withoutWarning(stderr) }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('the API server throws the errors that kube-endpoints/port exports', () => {
    const script = `import { createApiServer } from '@kube-endpoints/apiserver';
      import { ApiError, hasReason, resources } from 'kube-endpoints/port';
      const { client, close } = await createApiServer();
      const error = await client.get(resources.pods, { namespace: 'shop', name: 'web' }).catch((thrown) => thrown);
      console.log(error instanceof ApiError, hasReason(error, 'NotFound'));
      await close();`;
    const { stdout, stderr, status } = runNode(['--input-type=module', '--eval', script], { cwd: project });
    expect({ stdout, stderr, status }).toEqual({ stdout: 'true true\n', stderr: '', status: 0 });
  });

  test('only the entries can be imported', () => {
    const { stderr } = runNode(['--eval', `require('kube-endpoints/dist/index.js')`], { cwd: project });
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('the command shows its help', () => {
    const bin = join(project, 'node_modules/kubectl-endpoints/dist/bin.js');
    const { status, stdout, stderr } = runNode([bin, '--help'], { cwd: project });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('kubectl-endpoints');
  });

  const consumer = readTextFile('test/package/consumer.ts');
  const settings = [
    { module: 'nodenext', exactOptionalPropertyTypes: false },
    { module: 'nodenext', exactOptionalPropertyTypes: true },
    { module: 'preserve', moduleResolution: 'bundler', exactOptionalPropertyTypes: false },
  ];
  test.each(settings)('types accept client classes and plain JSON: module $module, exact $exactOptionalPropertyTypes', (options) => {
    expect(compile(consumer, { ...options, skipLibCheck: true })).toEqual({ status: 0, stdout: '' });
  });

  test('declarations have no type errors', () => {
    const program = entries.map(({ specifier }, i) => `export * as entry${i} from '${specifier}';`).join('\n');
    expect(compile(program, { module: 'nodenext', skipLibCheck: false })).toEqual({ status: 0, stdout: '' });
  });

  test('a program computes Endpoints from client classes and plain JSON', () => {
    writeFiles(project, { 'package.json': '{ "type": "module" }', 'consumer.ts': consumer });
    const { status, stdout, stderr } = runNode(['consumer.ts'], { cwd: project });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('client-node 10.0.0.1\nkubernetes-types 10.0.0.1\nJSON 10.0.0.1\n');
  });
});

test('the README mentions no internal entry', () => {
  for (const { specifier } of entries.filter(isInternal)) expect(readTextFile('README.md')).not.toContain(specifier);
});

function compile(program: string, options: object): { status: number | null; stdout: string } {
  const compilerOptions = { ...options, strict: true, target: 'es2024', lib: ['es2024'], types: ['node'], noEmit: true };
  writeFiles(project, {
    'package.json': '{ "type": "module" }',
    'program.ts': program,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  });
  const { status, stdout } = runNode([tsc, '-p', 'tsconfig.json'], { cwd: project });
  return { status, stdout };
}

/** Older releases of Node.js 22 print a warning on stderr when require() loads an ES module. */
const withoutWarning = (stderr: string): string => stderr.replace(/^\(node:\d+\) ExperimentalWarning:.*\n\(Use .*\n/m, '');
