import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { installTarball, packTarball } from '../support/pack.ts';
import { readManifest, root, textOf } from '../support/repository.ts';
import { runNode } from '../support/run.ts';
import { writeFiles } from '../support/temporary.ts';

const manifest = readManifest();
const subpaths = Object.keys(manifest.exports);
const modules = subpaths.filter((subpath) => subpath !== './package.json').map((subpath) => subpath.replace('.', manifest.name));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

describe('exports', () => {
  const files = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  test.each(files)('%s is built', (file) => {
    expect(existsSync(join(root, file)), `${file} is missing: npm run build`).toBe(true);
  });

  test('the command line is built and names its interpreter', () => {
    for (const file of Object.values(manifest.bin)) expect(textOf(file)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('every room has a subpath of its own', () => {
    const rooms = ['types', 'versions', 'core', 'explain', 'cli'];
    expect(subpaths).toEqual(expect.arrayContaining(rooms.map((room) => `./${room}`)));
  });

  test('README says what is in each', () => {
    const rows = textOf('README.md')
      .split('\n')
      .filter((line) => line.startsWith('| `/'))
      .join('\n');
    const untold = subpaths.slice(1).filter((subpath) => subpath !== './package.json' && !rows.includes(`\`${subpath.slice(1)}\``));
    expect(untold).toEqual([]);
  });
});

describe('the packed tarball', () => {
  let project: string;
  beforeAll(() => {
    project = installTarball(packTarball(), ['@kubernetes/client-node', 'kubernetes-types', '@types/node']);
  });

  test('the API server in its bundle throws the errors that the port exports', () => {
    const script = `import { createApiServer } from 'kube-endpoints/apiserver';
      import { ApiError, hasReason, resources } from 'kube-endpoints/port';
      const { client, close } = await createApiServer();
      const error = await client.get(resources.pods, { namespace: 'shop', name: 'web' }).catch((thrown) => thrown);
      console.log(error instanceof ApiError, hasReason(error, 'NotFound'));
      await close();`;
    const { stdout, stderr, status } = runNode(['--input-type=module', '--eval', script], { cwd: project });
    expect({ stdout, stderr, status }).toEqual({ stdout: 'true true\n', stderr: '', status: 0 });
  });

  test.each(modules)('import of %s', (module) => {
    const script = `const loaded = await import('${module}'); console.log(JSON.stringify(Object.keys(loaded).sort()))`;
    const { stdout, stderr, status } = runNode(['--input-type=module', '--eval', script], { cwd: project });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).not.toContain('default');
  });

  test.each(modules)('require of %s gives what import gives', (module) => {
    const script = `
      const required = require('${module}');
      import('${module}').then((imported) => {
        const differing = Object.keys(imported).filter((name) => required[name] !== imported[name]);
        console.log(JSON.stringify({ count: Object.keys(imported).length === Object.keys(required).length, differing }));
      })`;
    const { stdout, stderr, status } = runNode(['--input-type=commonjs', '--eval', script], { cwd: project });
    expect({ status, stderr: withoutWarning(stderr) }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ count: true, differing: [] });
  });

  test('package.json can be required', () => {
    const { stdout } = runNode(['--print', `require('${manifest.name}/package.json').version`], { cwd: project });
    expect(stdout.trim()).toBe(manifest.version);
  });

  test('nothing else can be imported', () => {
    const { stderr } = runNode(['--eval', `require('${manifest.name}/dist/index.js')`], { cwd: project });
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test.each(Object.entries(manifest.bin))('the command %s shows its help', (name, file) => {
    const { status, stdout, stderr } = runNode([join(project, 'node_modules', manifest.name, file), '--help'], { cwd: project });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(name);
  });

  const consumer = textOf('test/package/consumer.ts');
  const settings = [
    { module: 'nodenext', exactOptionalPropertyTypes: false },
    { module: 'nodenext', exactOptionalPropertyTypes: true },
    { module: 'preserve', moduleResolution: 'bundler', exactOptionalPropertyTypes: false },
  ];
  test.each(settings)('its types accept what a program has at hand: module $module, exact $exactOptionalPropertyTypes', (each) => {
    expect(compile(project, consumer, { ...each, skipLibCheck: true })).toEqual({ status: 0, stdout: '' });
  });

  test('its declarations are right in themselves', () => {
    const importing = modules.map((module, i) => `export * as room${i} from '${module}';`).join('\n');
    expect(compile(project, importing, { module: 'nodenext', skipLibCheck: false })).toEqual({ status: 0, stdout: '' });
  });

  test('what the types accept is what the package computes', () => {
    writeFiles(project, { 'package.json': '{ "type": "module" }', 'consumer.ts': consumer });
    const { status, stdout, stderr } = runNode(['consumer.ts'], { cwd: project });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('client-node 10.0.0.1\nkubernetes-types 10.0.0.1\nJSON 10.0.0.1\n');
  });
});

function compile(project: string, program: string, options: object): { status: number | null; stdout: string } {
  const compilerOptions = { ...options, strict: true, target: 'es2023', lib: ['es2023'], types: ['node'], noEmit: true };
  writeFiles(project, {
    'package.json': '{ "type": "module" }',
    'program.ts': program,
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  });
  const { status, stdout } = runNode([tsc, '-p', 'tsconfig.json'], { cwd: project });
  return { status, stdout };
}

/** Older releases of Node.js 22 announce on stderr that they load an ES module by require(). */
const withoutWarning = (stderr: string): string => stderr.replace(/^\(node:\d+\) ExperimentalWarning:.*\n\(Use .*\n/m, '');
