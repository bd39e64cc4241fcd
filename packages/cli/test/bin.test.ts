import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiServer } from '@kube-endpoints/apiserver';
import { createClientNodePort, loadKubeConfig } from '@kube-endpoints/controllers/client-node';
import { type Resource, resources } from 'kube-endpoints/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shop } from './shop.ts';

/** The path of the built program, which `npm test` builds first. */
const binPath = fileURLToPath(new URL('../dist/bin.js', import.meta.url));

interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runProgram(argv: readonly string[], stdin = '', { hangUp = false } = {}): Promise<ProcessResult> {
  const child = spawn(process.execPath, [binPath, ...argv], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] },
  });
  const output = { stdout: '', stderr: '' };
  if (hangUp) child.stdout.destroy();
  else child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  child.stdin.on('error', () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
  });
}

describe('the built program', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kube-endpoints-'));
    await writeFile(join(folder, 'shop.yaml'), shop);
    await writeFile(join(folder, 'notes.txt'), 'not read');
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('prints the version of the package', async () => {
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  describe('refuses', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { engines: { node: string } };
    const run = (file: string, ...flags: string[]): Promise<ProcessResult> =>
      new Promise((resolve) => {
        execFile(file, [...flags, binPath, '--version'], (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
      });
    const refusal = (version: string): ProcessResult => ({
      code: 2,
      stdout: '',
      stderr: `error: kubectl-endpoints needs Node.js ${engines.node.replace('>=', '')} or newer, and this is ${version}\n`,
    });

    test.each(['18.20.8', '20.19.5', '22.11.0'])('Node.js %s, which is too old', async (version) => {
      const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
      expect(await run(process.execPath, '--import', pretend)).toStrictEqual(refusal(version));
    });
  });

  test('says that a pipe is not read without -f', async () => {
    await using server = await createApiServer();
    const kubeconfig = join(folder, 'config');
    await (await server.listen()).writeKubeconfig(kubeconfig);
    const command = (input: string) => `${input} '${process.execPath}' '${binPath}' compute --release 1.36`;
    const stderrOf = (input: string): Promise<string> =>
      new Promise((resolve) => {
        execFile('sh', ['-c', command(input)], { env: { PATH: process.env['PATH'], KUBECONFIG: kubeconfig } }, (_, __, stderr) =>
          resolve(stderr),
        );
      });
    expect(await stderrOf('echo {} |')).toMatch(/^hint: Standard input is not read/);
    expect(await stderrOf('< /dev/null')).not.toContain('Standard input');
  });

  test('reads a directory', async () => {
    expect(await runProgram(['compute', '-f', folder, '-n', 'shop', 'db'])).toEqual({
      code: 0,
      stdout: 'NAME   ENDPOINTS\ndb     10.0.0.21:5432\n',
      stderr: '',
    });
  });

  test('reads standard input, and exits with the code of the command', async () => {
    expect(await runProgram(['explain', '-f', '-', '-n', 'shop', 'db'], shop)).toMatchObject({
      code: 0,
      stderr: 'hint: The input has no Nodes and no network policies: problems that only these show are unknown.\n',
    });
    expect(await runProgram(['diff', '-f', '-', '-A'], shop)).toMatchObject({ code: 1, stderr: '' });
    expect(await runProgram(['diff', '-f', '-', '-A'], 'x: [')).toMatchObject({ code: 2, stdout: '' });
  });

  test('reports a missing file without a stack trace', async () => {
    const missingPath = join(folder, 'missing.yaml');
    expect(await runProgram(['compute', '-f', missingPath])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${missingPath}: there is no such file or directory\n`,
    });
  });

  test('exits with the code of the command if the reader closes the pipe early', async () => {
    const pods = Array.from(
      { length: 3000 },
      (_, i) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p${i}","namespace":"shop","labels":{"app":"web"}}}`,
    );
    const input = `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Service","metadata":{"name":"w","namespace":"shop"},"spec":{"selector":{"app":"web"}}},${pods.join(',')}]}`;
    expect(await runProgram(['explain', '-f', '-', '-n', 'shop'], input, { hangUp: true })).toEqual({ code: 1, stdout: '', stderr: '' });
  });
});

test('run shuts down gracefully on SIGTERM', async () => {
  const child = spawn(process.execPath, [binPath, 'run', '--port', '0', '-f', '-'], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] },
  });
  const exitCode = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end('apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n');
  let log = '';
  for await (const chunk of child.stderr) {
    // Sends SIGTERM only once, because a second signal ends the process at once.
    const isFirst = !log.includes('"msg":"written"');
    log += String(chunk);
    if (isFirst && log.includes('"msg":"written"')) child.kill('SIGTERM');
  }
  expect(await exitCode).toBe(0);
  expect(log.trim().split('\n').at(-1)).toContain('"msg":"stopped"');
});

test('run writes the whole log even if it is read late', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kube-endpoints-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const argv = ['run', '--port', '0', '--kubeconfig-out', kubeconfig, '--log-level', 'trace', '-f', '-'];
  const child = spawn(process.execPath, [binPath, ...argv], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'] },
  });
  const exitCode = new Promise((resolve) => child.on('close', resolve));
  const names = Array.from({ length: 200 }, (_, i) => `web-${i}`);
  const service = (name: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n`;
  child.stdin.end(names.map(service).join('---\n'));
  for await (const chunk of child.stdout) if (String(chunk).includes('Kubernetes API at')) break;
  const { kubeConfig } = await loadKubeConfig({ kubeconfig });
  const port = createClientNodePort(kubeConfig);
  const countObjects = async (resource: Resource): Promise<number> => (await port.list(resource, { namespace: 'default' })).items.length;
  while ((await countObjects(resources.endpoints)) < names.length || (await countObjects(resources.endpointSlices)) < names.length);
  port.close();
  child.kill('SIGTERM');
  let log = '';
  for await (const chunk of child.stderr) log += String(chunk);
  expect(await exitCode).toBe(0);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly msg: string; readonly name?: string; readonly controller?: string });
  // Exceeds the buffers of a pipe and two streams, so the program must have buffered it.
  expect(log.length).toBeGreaterThan(3 * 2 ** 16);
  expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
  for (const controller of ['endpoints', 'endpointslices']) {
    const written = new Set(lines.filter((line) => line.msg === 'written' && line.controller === controller).map(({ name }) => name));
    expect(names.filter((name) => !written.has(name))).toEqual([]);
  }
  await rm(folder, { recursive: true });
});

describe('the apiserver command line in the README', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const readme = readFileSync(join(root, 'packages/cli/README.md'), 'utf8');
  const [, flags = '', loadedText = ''] =
    /\$ npx kubectl-endpoints apiserver --port 6443 --kubeconfig-out kubeconfig (.*)\nKubernetes API at \S+, (\d+ objects loaded)/.exec(
      readme,
    ) ?? [];

  test('loads the stated objects, writes a kubeconfig that only its owner can read, and ends on SIGTERM', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kube-endpoints-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const argv = ['apiserver', '--port', '0', '--kubeconfig-out', kubeconfig, ...flags.split(' ')];
    const child = spawn(process.execPath, [binPath, ...argv], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exitCode = new Promise((resolve) => child.on('close', resolve));
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.split('\n').length > 2) break;
    }
    expect(loadedText).toMatch(/^\d+ /);
    expect(output).toMatch(new RegExp(`^Kubernetes API at https://127\\.0\\.0\\.1:\\d+, ${loadedText}\\. Ctrl-C ends it\\.\n`));
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    expect(await readFile(kubeconfig, 'utf8')).toContain('certificate-authority-data');
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
    await rm(folder, { recursive: true });
  });
});
