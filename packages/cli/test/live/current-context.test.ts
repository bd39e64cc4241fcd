import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type FakeEnvironment, runLine } from '../fake-io.ts';

describe('without -f and cluster flags', () => {
  let server: ApiServer;
  const home = makeFolder();
  const kubeconfig = join(makeFolder(), 'kubeconfig');
  const service = (name: string, namespace: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ...(name === 'web' && { clusterIP: '10.96.0.77' }), selector: { app: name }, ports: [{ name: 'http', port: 80 }] },
  });
  const alias = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'alias', namespace: 'default' },
    spec: { type: 'ExternalName', externalName: 'db.back.svc.cluster.local' },
  };
  beforeAll(async () => {
    server = await createApiServer({
      objects: [
        {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'n1' },
          status: { addresses: [{ type: 'InternalIP', address: '192.168.0.1' }] },
        },
        service('web', 'default'),
        service('db', 'back'),
        alias,
      ],
    });
    await (await server.listen()).writeKubeconfig(kubeconfig);
  });
  afterAll(() => server.close());
  const runHere = (line: string, environment: FakeEnvironment = {}) => runLine(line, { env: { KUBECONFIG: kubeconfig }, ...environment });

  test.each([
    ['explain -n shpo', 'error: namespaces "shpo" not found\n'],
    ['explain -n shpo web', 'error: namespaces "shpo" not found\n'],
  ])('%s reports that the namespace does not exist', async (line, message) => {
    const { code, stderr } = await runHere(line);
    expect([code, stderr]).toStrictEqual([2, expect.stringContaining(message)]);
  });

  test.each([
    ['explain web', 'SERVICE default/web  broken: no pods  (Kubernetes 1.36.3)'],
    ['compute web', 'web    <none>'],
    ['diff web', 'ENDPOINTS default/web  (Kubernetes 1.36.3)'],
    ['upgrade', 'Kubernetes 1.36.3 to 1.37:'],
    ['trace web', 'web reaches nothing'],
    ['resolve web', '10.96.0.77'],
    ['proxy view --node n1', 'web'],
  ])('%s reads the current context of KUBECONFIG, and follows its release', async (line, text) => {
    const { stdout, stderr } = await runHere(line);
    expect(stdout).toContain(text);
    expect(stderr.includes('runs Kubernetes v1.36.3+kube-endpoints: follows 1.36.3; --release selects another.')).toBe(
      !line.startsWith('resolve'),
    );
  });

  test('a Service of another namespace is not reported as missing, because it is not read', async () => {
    const { code, stdout } = await runHere('explain alias');
    expect(code).toBe(0);
    expect(stdout).not.toContain('ExternalNameNotFound');
  });

  test('--release is followed instead of the release of the cluster', async () => {
    const { stdout, stderr } = await runHere('explain web --release 1.30');
    expect(stdout).toContain('(Kubernetes 1.30)');
    expect(stderr).not.toContain('--release');
  });

  test('a pipe on standard input is not read, and a hint says so', async () => {
    const { stderr } = await runHere('compute', { isStdinPiped: true });
    expect(stderr).toContain('hint: Standard input is not read, because there is no -f');
    expect((await runHere('compute')).stderr).not.toContain('Standard input');
    expect((await runHere(`compute --kubeconfig ${kubeconfig}`, { isStdinPiped: true })).stderr).not.toContain('Standard input');
  });

  test('~/.kube/config is read if KUBECONFIG is not set', async () => {
    mkdirSync(join(home, '.kube'));
    copyFileSync(kubeconfig, join(home, '.kube', 'config'));
    expect((await runLine('compute web', { env: { HOME: home } })).stdout).toContain('web    <none>');
  });
});
