import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { createClock } from '../../../apiserver/test/store/support.ts';
import { createClientNodePort, loadKubeConfig } from '../../src/client-node/index.ts';
import { errorOf, majors, startFakeServer } from './support.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const credential = (status: object, fields: object = {}): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion, status, ...fields });

interface Plugin {
  /** The lines of a shell script. */
  readonly script: string;
  readonly exec?: object;
  readonly server?: string;
}

describe.each(majors)('a credential plugin with client-node $major', ({ KubeConfig }) => {
  async function open({ script, exec = {}, server = 'https://127.0.0.1:1' }: Plugin) {
    const folder = makeFolder();
    const command = join(folder, 'login');
    const kubeconfig = join(folder, 'config');
    writeFileSync(command, `#!/bin/sh\n${script}\n`);
    chmodSync(command, 0o755);
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'k', user: 'jane' } }],
        clusters: [{ name: 'k', cluster: { server, 'insecure-skip-tls-verify': true, 'tls-server-name': 'api' } }],
        users: [{ name: 'jane', user: { exec: { command: './login', apiVersion, ...exec } } }],
      }),
    );
    const clock = createClock();
    const loaded = await loadKubeConfig({ kubeconfig, library: { KubeConfig } as never });
    const port = createClientNodePort(loaded.kubeConfig, { clock });
    onTestFinished(() => port.close());
    return { port, clock, folder, subject: `the command "${command}" of user "jane" in ${kubeconfig}` };
  }

  it.each<[string, Plugin, string]>([
    ['that prints nothing', { script: 'true' }, 'printed nothing; it must print an ExecCredential'],
    ['that prints text', { script: 'echo secret-token' }, 'printed something other than JSON; it must print an ExecCredential'],
    ['that prints {}', { script: "echo '{}'" }, 'printed JSON without kind; it must print an ExecCredential'],
    ['that prints null', { script: 'echo null' }, 'printed JSON without kind; it must print an ExecCredential'],
    ['that prints another kind', { script: `echo '${credential({}, { kind: 'Pod' })}'` }, 'printed kind "Pod" instead of ExecCredential'],
    [
      'that prints no apiVersion',
      { script: `echo '${credential({}, { apiVersion: undefined })}'` },
      'printed JSON without apiVersion; it must print an ExecCredential',
    ],
    [
      'that prints another version',
      { script: `echo '${credential({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/v1beta1' })}'` },
      `printed apiVersion "client.authentication.k8s.io/v1beta1", but exec.apiVersion is "${apiVersion}": set it to the same`,
    ],
    [
      'that prints an unrelated apiVersion',
      { script: `echo '${credential({ token: 't' }, { apiVersion: 'v1' })}'`, exec: { apiVersion: undefined } },
      `printed apiVersion "v1" instead of ${apiVersion}`,
    ],
    ['that prints no status', { script: `echo '${credential(undefined as never)}'` }, 'printed an ExecCredential without a status'],
    [
      'that prints an empty status',
      { script: `echo '${credential({})}'` },
      'printed a status without a token, and without a certificate and its key',
    ],
    ['whose token is no string', { script: `echo '${credential({ token: 1 })}'` }, 'printed a status whose token is not a string'],
    [
      'that prints a certificate only',
      { script: `echo '${credential({ token: 't', clientCertificateData: 'c' })}'` },
      'printed a certificate without its key',
    ],
    ['that prints a key only', { script: `echo '${credential({ clientKeyData: 'k' })}'` }, 'printed a key without its certificate'],
    [
      'whose expiration is no time',
      { script: `echo '${credential({ token: 't', expirationTimestamp: 'soon' })}'` },
      'printed the expirationTimestamp "soon", which is not a time',
    ],
    [
      'that fails',
      { script: 'echo "log in"; echo "no  session\nrun: login" >&2; exit 3' },
      'ended with exit code 3: no session run: login',
    ],
    ['that fails silently', { script: 'exit 1' }, 'ended with exit code 1 and printed no error: run it to see why'],
    ['that a signal ends', { script: 'kill -9 $$' }, 'was ended by SIGKILL and printed no error: run it to see why'],
    ['that prints without end', { script: 'yes' }, 'printed more than 1048576 characters; it must print an ExecCredential'],
  ])('%s causes an error with the kubeconfig, the user, the command and the problem', async (_, plugin, problem) => {
    const { port, subject } = await open(plugin);
    const { message } = await errorOf(port.serverVersion());
    expect(message).toContain(`the kubeconfig's credentials cannot be loaded: ${subject} ${problem}`);
    expect(message.endsWith(problem)).toBe(true);
  });

  it.each([
    [{}, 'was not found: install it, or correct exec.command'],
    [{ installHint: 'Install it:\n  brew install login' }, 'was not found: Install it: brew install login'],
  ])('that does not exist causes an error with the hint of %j', async (exec, problem) => {
    const { port } = await open({ script: '', exec: { command: 'no-such-login', ...exec } });
    expect((await errorOf(port.serverVersion())).message).toMatch(
      new RegExp(`the command "no-such-login" of user "jane" in .* ${problem}$`),
    );
  });

  it('that does not end is killed, and causes an error', async () => {
    const { port, clock, folder, subject } = await open({ script: 'echo $$ > "$(dirname "$0")/pid"; exec sleep 600' });
    const error = errorOf(port.serverVersion());
    const pidFile = join(folder, 'pid');
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '').toBe(true);
    clock.advance(70_000);
    expect((await error).message).toContain(`${subject} did not end within 70 s`);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const isRunning = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isRunning).toBe(false);
  });

  it('receives its arguments, its variables and KUBERNETES_EXEC_INFO, and gives a token until it expires or is refused', async () => {
    const server = await startFakeServer(({ headers }, response) => {
      const { authorization } = headers;
      const isRefused = authorization === 'Bearer t3';
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ gitVersion: authorization }));
    });
    const script = `d=$(dirname "$0"); echo x >> $d/count; n=$(wc -l < $d/count); printf '%s' "$1 $FRUIT $KUBERNETES_EXEC_INFO" > $d/seen
echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"t'$((n))'","expirationTimestamp":"1970-01-01T00:'$((n + 16))':00Z"}}'`;
    const { port, clock, folder } = await open({
      script,
      server: server.url,
      exec: { args: ['first'], env: [{ name: 'FRUIT', value: 'fig' }], provideClusterInfo: true },
    });
    // The clock begins 40 seconds after the 16th minute.
    const tokens: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      tokens.push(await port.serverVersion());
      clock.advance(30_000);
    }
    expect(tokens).toStrictEqual(['Bearer t1', 'Bearer t2', 'Bearer t2', 'Bearer t4']);
    const cluster = { server: server.url, 'tls-server-name': 'api', 'insecure-skip-tls-verify': true };
    const [argument, variable, info = ''] = readFileSync(join(folder, 'seen'), 'utf8').split(/ (?=fig|\{)/);
    expect([argument, variable, JSON.parse(info)]).toStrictEqual([
      'first',
      'fig',
      { kind: 'ExecCredential', apiVersion, spec: { interactive: false, cluster } },
    ]);
  });
});
