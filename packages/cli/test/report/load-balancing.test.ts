import { join } from 'node:path';
import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import type { Service } from 'kube-endpoints/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { createLoadBalancingExplainer } from '../../src/report/explanations.ts';
import { runLine } from '../fake-io.ts';
import { node, scopeOf, service } from '../objects.ts';

const web = (metadata: Service['metadata'] = { uid: 'u' }): Service => service('web', { type: 'LoadBalancer' }, metadata);
const event = (uid: string, message: string) => ({
  involvedObject: { kind: 'Service', namespace: 'shop', name: 'web', uid },
  type: 'Warning',
  reason: 'SyncLoadBalancerFailed',
  message,
});

describe('the reasons why a Service has no load balancer', () => {
  test('come from the Events of its UID', () => {
    const scope = scopeOf({ events: [event('u', 'quota exceeded'), event('older', 'of an earlier Service')] });
    expect(createLoadBalancingExplainer(scope, { version: '1.37' })(web())).toMatchObject([
      { code: 'LoadBalancerFailing', values: { message: 'quota exceeded' } },
    ]);
  });

  test('include unsuitable nodes if the input holds Nodes', () => {
    const baseNode = node('n', '');
    const labels = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    const nodes = [{ ...baseNode, metadata: { ...baseNode.metadata, labels } }];
    const codes = (scope: ReturnType<typeof scopeOf>) =>
      createLoadBalancingExplainer(scope, { version: '1.37' })(web()).map(({ code }) => code);
    expect(codes(scopeOf({ nodes }))).toEqual(['LoadBalancerNotPickedUp', 'LoadBalancerWithoutNodes']);
    expect(codes(scopeOf({}))).toEqual(['LoadBalancerNotPickedUp']);
  });

  test('depend on the release', () => {
    const serviceOfOtherClass = { ...web(), spec: { ...web().spec, loadBalancerClass: 'a/b' } };
    expect(createLoadBalancingExplainer(scopeOf({}), { version: '1.37' })(serviceOfOtherClass)).toMatchObject([
      { code: 'LoadBalancerOfOtherClass' },
    ]);
    expect(createLoadBalancingExplainer(scopeOf({}), { version: '1.20' })(serviceOfOtherClass)).toMatchObject([
      { code: 'LoadBalancerNotPickedUp' },
    ]);
  });

  test('are empty for a Service that was never in a cluster', () => {
    expect(createLoadBalancingExplainer(scopeOf({}), { version: '1.37' })(web({}))).toEqual([]);
  });
});

describe('explain with load balancers', () => {
  const spec = (type: string): object => ({
    type,
    selector: { app: 'web' },
    ports: [{ port: 80, nodePort: type === 'NodePort' ? 30082 : 30081 }],
  });
  const balancedStatus = { loadBalancer: { ingress: [{ ip: '10.9.0.1' }] } };
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const v1 = { apiVersion: 'v1' } as const;
  const referenceTo = (name: string) => ({ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name });
  const sliceOf = (name: string) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }],
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
  });
  const objects = [
    ...['web', 'served', 'was'].map(sliceOf),
    { ...v1, kind: 'Node', metadata: { name: 'node-1' } },
    { ...v1, kind: 'Service', metadata: { name: 'web', namespace: 'shop', uid: 'u-web', finalizers }, spec: spec('LoadBalancer') },
    {
      ...v1,
      kind: 'Service',
      metadata: { name: 'served', namespace: 'shop', uid: 'u-served', finalizers },
      spec: { ...spec('LoadBalancer'), ports: [{ port: 80, nodePort: 30083 }] },
      status: balancedStatus,
    },
    { ...v1, kind: 'Service', metadata: { name: 'was', namespace: 'shop', uid: 'u-was', finalizers }, spec: spec('NodePort') },
    {
      ...v1,
      kind: 'Event',
      metadata: { name: 'web.1', namespace: 'shop' },
      involvedObject: referenceTo('web'),
      type: 'Warning',
      reason: 'SyncLoadBalancerFailed',
      message: 'Error syncing load balancer: failed to ensure load balancer: quota exceeded',
    },
    {
      ...v1,
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web' }, uid: 'p' },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'i' }] },
      status: { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [{ type: 'Ready', status: 'True' }] },
    },
  ];
  const kubeconfig = join(makeFolder(), 'kubeconfig');
  let server: ApiServer;
  beforeAll(async () => {
    server = await createApiServer({ objects });
    await (await server.listen()).writeKubeconfig(kubeconfig);
  });
  afterAll(() => server.close());

  const overview = `NAMESPACE   SERVICE   STATE      READY   NOT READY   LEFT OUT   CAUSES
shop        served    ok         1       0           0          <none>
shop        was       degraded   1       0           0          LoadBalancerCleanupPending
shop        web       degraded   1       0           0          LoadBalancerFailing

3 Services: 2 degraded, 1 ok
`;

  test('reports problems in a cluster, with their Events', async () => {
    expect(await runLine(`explain -n shop --release 1.37 --kubeconfig ${kubeconfig}`)).toEqual({ code: 1, stdout: overview, stderr: '' });
    const { stdout } = await runLine(`explain -n shop web --kubeconfig ${kubeconfig}`);
    expect(stdout.split('\n')[1]).toBe(
      '  Cause:    LoadBalancerFailing: The cloud fails to create or update the load balancer: ' +
        'Error syncing load balancer: failed to ensure load balancer: quota exceeded',
    );
  });

  test('reports problems in a dump that includes Events', async () => {
    const items = objects.map((object) => (object.kind === 'Event' ? object : withDefaults(object)));
    const files = { 'dump.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) };
    expect(await runLine('explain -n shop -f dump.json', { files })).toEqual({
      code: 1,
      stdout: overview,
      stderr: '',
    });
    const { stdout } = await runLine('explain -n shop -f dump.json --release 1.30 -o json', { files });
    const { items: explanations } = JSON.parse(stdout) as { items: { problems: unknown[] }[] };
    expect(explanations[2]?.problems).toMatchObject([{ code: 'LoadBalancerFailing', severity: 'warning', path: 'events' }]);
  });

  test('reports nothing for Services that were never in a cluster', async () => {
    const files = {
      'shop.yaml': JSON.stringify({ ...v1, kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: spec('LoadBalancer') }),
    };
    const { stdout } = await runLine('explain -n shop -f shop.yaml', { files });
    expect(stdout).toContain('PodsNotGiven');
    expect(stdout).not.toContain('LoadBalancer');
  });

  /** A dump holds Services with the defaults of the API server. */
  function withDefaults<T extends { readonly kind: string; readonly spec?: object }>(object: T): T {
    if (object.kind !== 'Service') return object;
    const defaults = { clusterIP: '10.96.0.9', ipFamilies: ['IPv4'], ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }] };
    return { ...object, spec: { ...object.spec, ...defaults } };
  }
});
