import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '../../../../test/support/free-port.ts';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { run } from '../fake-io.ts';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** Requests a path with the credentials of the kubeconfig. */
async function getWith(text: string, path: string): Promise<Record<string, unknown>> {
  const { clusters, users } = parse(text) as Kubeconfig;
  const { server = '', 'certificate-authority-data': ca = '' } = clusters[0]?.cluster ?? {};
  const headers = { Authorization: `Bearer ${users[0]?.user.token}` };
  return new Promise((resolve, reject) => {
    request(server + path, { ca: Buffer.from(ca, 'base64'), headers, agent: false }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          body += chunk;
        })
        .on('end', () => resolve(JSON.parse(body) as Record<string, unknown>));
    })
      .on('error', reject)
      .end();
  });
}

const shop = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: back}
data: {a: "1"}
`;

describe('kubectl-endpoints apiserver', () => {
  const file = join(makeFolder(), 'kubeconfig');

  test('serves the objects of -f to clients with the kubeconfig, until it is stopped', async () => {
    const responses: unknown[] = [];
    const untilStopped = async (): Promise<void> => {
      const kubeconfig = readFileSync(file, 'utf8');
      responses.push(await getWith(kubeconfig, '/api/v1/namespaces/shop/services/web'));
      responses.push(await getWith(kubeconfig, '/api/v1/namespaces/back/configmaps/settings'));
    };
    const line = `apiserver -f shop.yaml -n shop --port 0 --kubeconfig-out ${file}`;
    const { code, stdout, stderr } = await run(line.split(' '), { files: { 'shop.yaml': shop }, untilStopped });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [statusLine, connectLine] = stdout.split(/(?<=\n)/);
    expect(statusLine).toMatch(/^Kubernetes API at https:\/\/127\.0\.0\.1:\d+, 2 objects loaded\. Ctrl-C ends it\.\n$/);
    expect(connectLine).toBe(`kubectl --kubeconfig ${file} get all --all-namespaces\n`);
    expect(stdout).toBe(`${statusLine}${connectLine}`);
    expect(responses).toMatchObject([{ kind: 'Service', metadata: { namespace: 'shop' } }, { data: { a: '1' } }]);
  });

  test('prints how to connect without a kubeconfig, with the given token', async () => {
    const { code, stdout } = await run(['apiserver', '--port', '0', '--token', 'open-sesame']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\ncurl -k -H 'Authorization: Bearer open-sesame' https:\/\/127\.0\.0\.1:\d+\/api /);
  });

  test('authorizes the users of a token file by RBAC', async () => {
    const codes: unknown[] = [];
    const untilStopped = async (): Promise<void> => {
      const kubeconfig = readFileSync(file, 'utf8');
      const as = (token: string): string => kubeconfig.replace(/token: .*/, `token: ${token}`);
      for (const [text, path] of [
        [kubeconfig, '/api/v1/pods'],
        [as('of-alice'), '/api/v1/pods'],
        [as('of-bob'), '/api/v1/pods'],
        [as('of-bob'), '/apis'],
        [as('""'), '/api/v1/pods'],
      ] as const)
        codes.push((await getWith(text, path))['message'] ?? 'allowed');
    };
    const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:aggregate-to-view}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "all readers"}]
`;
    const tokens = 'of-alice,alice,1,"dev,all readers"\n\nof-bob,"the ""real"" bob",2\n';
    const line = `apiserver -f binding.yaml --port 0 --kubeconfig-out ${file} --authorization rbac --token-auth-file tokens.csv --anonymous-auth`;
    const { code } = await run(line.split(' '), { files: { 'binding.yaml': binding, 'tokens.csv': tokens }, untilStopped });
    expect(code).toBe(0);
    expect(codes).toStrictEqual([
      'allowed',
      'allowed',
      'pods is forbidden: User "the \\"real\\" bob" cannot list resource "pods" in API group "" at the cluster scope',
      'allowed',
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    ]);
  });

  test.each<[string, string, Readonly<Record<string, string>>, RegExp]>([
    ['anonymous requests from other machines', '--host 0.0.0.0 --anonymous-auth', {}, /is not loopback: leave out --anonymous-auth\n$/],
    ['an unknown authorization', '--authorization abac', {}, /argument 'abac' is invalid\. Allowed choices are rbac/],
    ['a missing token file', '--token-auth-file no.csv', {}, /^error: --token-auth-file no\.csv: there is no such file or directory\n$/],
    [
      'a token without a uid',
      '--token-auth-file t.csv',
      { 't.csv': 'a,b,c\nx,alice' },
      /^error: --token-auth-file t\.csv, line 2: 2 columns; give token,user,uid/,
    ],
    ['an open quote', '--token-auth-file t.csv', { 't.csv': 'x,alice,1,"a' }, /t\.csv, line 1: a quote is not closed, or text follows it/],
    ['an invalid token', '--port 0 --token-auth-file t.csv', { 't.csv': 'a b,alice,1' }, /printable ASCII characters without spaces/],
    ['an invalid port', '--port 70000', {}, /'--port <PORT>'.* is invalid.* give a whole number from 0 to 65535/],
    ['a host other than loopback without a token', '--host 0.0.0.0 --port 0', {}, /^error: host 0\.0\.0\.0 is not loopback: /],
    [
      'an address that this machine does not have',
      '--host 192.0.2.1 --port 0 --token t',
      {},
      /cannot listen at 192\.0\.2\.1, port 0: this machine has no such address/,
    ],
    ['an argument', 'web --port 0', {}, /^error: too many arguments/],
    ['an invalid file', '--port 0 -f no.yaml', {}, /^error: no\.yaml: there is no such file or directory\n$/],
    [
      'a kubeconfig path in a missing directory',
      '--port 0 --kubeconfig-out /missing/kubeconfig',
      {},
      /^error: \/missing\/kubeconfig cannot be written: there is no such/,
    ],
    ['input that is not an object', '--port 0 -f a.yaml', { 'a.yaml': 'text' }, /^error: a\.yaml, document 1, line 1: this is "text"/],
    [
      'an object that fails validation',
      '--port 0 -f a.yaml',
      { 'a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n' },
      /^error: a\.yaml, document 1, line 1: Service \(v1\) default\/web: Service "web" is invalid: spec\.ports: Required value\n$/,
    ],
  ])('refuses %s in one line, without serving', async (_, flags, files, message) => {
    const untilStopped = (): Promise<never> => Promise.reject(new Error('the server started'));
    const { code, stdout, stderr } = await run(['apiserver', ...flags.split(' ')], { files, untilStopped });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('skips unserved kinds with --skip-unserved, and reports unknown fields', async () => {
    const text = `${shop}---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: web}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: misspelt}
datta: {a: "1"}
`;
    const { code, stdout, stderr } = await run('apiserver -f shop.yaml --port 0 --skip-unserved'.split(' '), {
      files: { 'shop.yaml': text },
    });
    expect(code).toBe(0);
    expect(stdout).toContain(', 3 objects loaded.');
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^hint: shop\.yaml, document 4, line \d+: unknown field "datta"$/),
      'hint: Skipped 1 object of kinds that the server does not serve: Gadget.',
    ]);
  });

  test('accepts cluster IPs and node ports in the ranges of the flags', async () => {
    const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: NodePort, clusterIP: 10.43.0.7, ports: [{port: 80, nodePort: 40001}]}
`;
    const ranges = '--service-cluster-ip-range 10.43.0.0/16 --service-node-port-range 40000-40010';
    const { code, stderr } = await run(`apiserver -f web.yaml --port 0 ${ranges}`.split(' '), { files: { 'web.yaml': service } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test.each([
    ['--service-cluster-ip-range 10.0.0.0', /^error: --service-cluster-ip-range: invalid CIDR address: 10\.0\.0\.0/],
    ['--service-node-port-range 5-1', /^error: --service-node-port-range: end port cannot be less/],
    ['--host 0.0.0.0', /^error: host 0\.0\.0\.0 is not loopback: to accept requests from other machines, give a --token$/m],
    ['--kubeconfig-out ', /^error: --kubeconfig-out names no file$/m],
    ['--data ', /^error: --data names no folder$/m],
  ])('refuses an invalid flag and names it: %s', async (flags, message) => {
    const { code, stderr } = await run(`apiserver --port 0 ${flags}`.split(' '));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('continues from the folder of --data, for clients with the old kubeconfig', async () => {
    const data = join(makeFolder(), 'data');
    const port = await findFreePort();
    const kubeconfig = join(makeFolder(), 'kubeconfig');
    const line = `apiserver -f shop.yaml -n shop --port ${port} --data ${data}`;
    const files = { 'shop.yaml': shop };
    const first = await run(`${line} --kubeconfig-out ${kubeconfig}`.split(' '), { files });
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout.split('\n').slice(0, 3)).toEqual([
      `Kubernetes API at https://127.0.0.1:${port}, 2 objects loaded. Ctrl-C ends it.`,
      `kubectl --kubeconfig ${kubeconfig} get all --all-namespaces`,
      expect.stringMatching(new RegExp(`^[1-9]\\d+ objects are saved in ${data}\\.$`)),
    ]);
    const responses: unknown[] = [];
    const untilStopped = async (): Promise<void> => {
      responses.push(await getWith(readFileSync(kubeconfig, 'utf8'), '/api/v1/namespaces/back/configmaps/settings'));
    };
    const second = await run(line.split(' '), { files, untilStopped });
    expect({ code: second.code, stderr: second.stderr }).toEqual({
      code: 0,
      stderr: 'hint: Did not load 2 objects of -f that the folder of --data contains already.\n',
    });
    expect(second.stdout).toContain(', 0 objects loaded.');
    expect(responses).toMatchObject([{ data: { a: '1' } }]);
  });

  test('refuses a folder of --data that it cannot use', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'notes.txt'), '');
    const { code, stdout, stderr } = await run(['apiserver', '--port', '0', '--data', folder]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${folder} contains notes.txt, which is not data of an API server: give a new or empty folder\n`,
    });
  });
});
