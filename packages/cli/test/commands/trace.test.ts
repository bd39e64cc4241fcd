import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { TraceObjects } from 'kube-endpoints/trace';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { crashingStatus, makeCluster, makePod, makeService, shop } from '../../../../test/trace/shop.ts';
import { type FakeEnvironment, runLine } from '../fake-io.ts';

const kinds = {
  services: 'v1 Service',
  pods: 'v1 Pod',
  slices: 'discovery.k8s.io/v1 EndpointSlice',
  nodes: 'v1 Node',
  namespaces: 'v1 Namespace',
  serviceCIDRs: 'networking.k8s.io/v1 ServiceCIDR',
};

/** Formats objects as a dump of kubectl. */
function formatDump(objects: TraceObjects): string {
  const items = Object.entries(kinds).flatMap(([list, versionAndKind]) => {
    const [apiVersion, kind] = versionAndKind.split(' ');
    return ((objects[list as keyof typeof kinds] ?? []) as readonly object[]).map((object) => ({ apiVersion, kind, ...object }));
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

const crashedCluster = makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2, { status: crashingStatus })]);
const environment: FakeEnvironment = {
  files: {
    'shop.json': formatDump(shop),
    'crashed.json': formatDump(crashedCluster),
    'pods.json': formatDump({ ...shop, slices: [] }),
    'ranges.json': formatDump({
      ...shop,
      serviceCIDRs: [{ metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/16', 'fd00:1::/108'] } }],
    }),
    'wrong.json': formatDump({ ...shop, pods: [{ metadata: { name: 'X' } }] }),
  },
};
const trace = (line: string, fakes: FakeEnvironment = environment) => runLine(`trace ${line}`, fakes);

describe('the exit code and first line of a trace', () => {
  test.each([
    ['web -n shop -f shop.json', 0, 'web reaches 3 endpoints of Service shop/web.'],
    ['svc/web.shop:http -f shop.json', 0, 'svc/web.shop:http reaches 3 endpoints of Service shop/web.'],
    ['web.shop:http -f shop.json', 0, 'web.shop:http reaches 3 endpoints of Service shop/web.'],
    ['web -n shop --from pod/frontend-1 -f shop.json', 0, 'web reaches 3 endpoints of Service shop/web from pod/frontend-1.'],
    ['web --from shop/pod/frontend-1 --node n1 -f shop.json', 0, 'web reaches 3 endpoints of Service shop/web from node n1.'],
    ['web -n shop -f pods.json', 0, 'web reaches 3 endpoints of Service shop/web.'],
    ['web.shop.svc.k8s.example --zone k8s.example -f shop.json', 0, 'web.shop.svc.k8s.example reaches 3 endpoints of Service shop/web.'],
    ['10-1-0-2.shop.pod.cluster.local --pods verified -f shop.json', 0, '10-1-0-2.shop.pod.cluster.local reaches pod shop/web-2.'],
    ['https://user:secret@example.com/ -f shop.json', 0, 'https://example.com/ leads outside the cluster, to example.com.'],
    ['8.8.8.8:53 -f shop.json', 0, expect.stringContaining('8.8.8.8:53 leads to no Service and no pod')],
    ['10.96.7.7:80 -f shop.json', 0, expect.stringContaining('10.96.7.7:80 leads to no Service and no pod')],
    ['10.96.7.7:80 -f ranges.json', 1, 'UNREACHABLE: 10.96.7.7:80 reaches nothing'],
    ['web.shopp -f shop.json', 1, 'UNREACHABLE: web.shopp reaches nothing'],
    ['web.shop -f crashed.json', 1, 'DEGRADED: web.shop reaches 1 endpoint of Service shop/web, but with problems'],
    ['wbe.shop -f shop.json', 1, 'UNREACHABLE: wbe.shop reaches nothing'],
    ['web.shop -f wrong.json', 2, 'DEGRADED: web.shop reaches 3 endpoints of Service shop/web, but with problems'],
  ])('trace %s', async (line, code, verdict) => {
    const { stdout, ...outcome } = await trace(line);
    expect([outcome.code, stdout.split('\n')[0]]).toEqual([code, verdict]);
  });

  test.each([
    ['10.96.7.7:80 -f ranges.json', 'ClusterIPUnused: 10.96.7.7 is in the range of cluster IPs 10.96.0.0/16, but no Service has it'],
    ['web.shopp -f shop.json', 'NamespaceNotFound: There is no namespace shopp; there is a Service web in shop'],
    ['web.shop -f crashed.json', 'ContainerWaiting: Pod web-2: the container app is not running: waiting: CrashLoopBackOff'],
    [
      'wbe.shop -f shop.json',
      'ServiceNotFound: There is no Service wbe in namespace shop; there is no shop/wbe, but there is a Service shop/web',
    ],
  ])('the second line of trace %s is the cause', async (line, cause) => {
    expect((await trace(line)).stdout.split('\n')[1]).toBe(`Cause:    ${cause}`);
  });

  test.each([
    ['a..b -f shop.json', 'error: target "a..b": the name has an empty label: give one dot between labels'],
    [
      'web --from pod/x -f shop.json',
      'error: from "pod/x": namespace "default" has no pod "x": give "NAMESPACE/pod/NAME" of an existing pod',
    ],
    ['web --node n9 -f shop.json', 'error: node "n9" does not exist: give one of n1, n2, n3'],
  ])('reports the error of %s', async (line, message) => {
    expect(await trace(line)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });
});

describe('the output formats of trace', () => {
  const line = 'web.shop:http -f crashed.json -o';

  test('print the same trace as JSON and YAML', async () => {
    const parsed = JSON.parse((await trace(`${line} json`)).stdout);
    expect(parsed).toMatchObject({ target: 'web.shop:http', outcome: 'degraded' });
    expect(parsed.steps.map(({ stage }: { stage: string }) => stage)).toEqual([
      'name',
      'record',
      'service',
      'policy',
      'endpoints',
      'pod',
      'readiness',
    ]);
    expect(parse((await trace(`${line} yaml`)).stdout)).toEqual(parsed);
  });

  test.each([
    ['mermaid', /^flowchart TD\n/],
    ['svg', /^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/],
    ['html', /^<!doctype html>/i],
    ['wide', /^DEGRADED: web\.shop:http reaches/],
  ])('include %s', async (format, start) => {
    const { code, stdout, stderr } = await trace(`${line} ${format}`);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(start);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.endsWith('\n\n')).toBe(false);
  });

  test('name the release, the files and the time on the page', async () => {
    const { stdout } = await trace(`${line} html --release 1.36`);
    expect(stdout).toMatch(/<p class="source">Kubernetes 1\.36 · crashed\.json · \d{4}-\d\d-\d\d \d\d:\d\d UTC<\/p>/);
  });

  test('wrap and colour text on a terminal only', async () => {
    const painted = await trace('web.shop -f crashed.json', { ...environment, terminalColumns: 60 });
    expect(painted.stdout).toContain('\u001b[33mDEGRADED\u001b[0m');
    const { stdout } = await trace('web.shop -f crashed.json --no-color', { ...environment, terminalColumns: 60 });
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n')[0]?.length).toBeLessThanOrEqual(60);
  });
});

test('trace reads a whole cluster and does not compute missing slices', async () => {
  const service = { clusterIP: '10.96.0.77', selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] };
  const pod = makePod('web-1', 1, { spec: { nodeName: '', containers: [{ name: 'app', image: 'app' }] as never } });
  const slice = {
    metadata: { namespace: 'shop', name: 'web-x', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    endpoints: [{ addresses: ['10.1.0.1'], targetRef: { kind: 'Pod', namespace: 'shop', name: 'web-1' } }],
  };
  const web = { apiVersion: 'v1', kind: 'Service', metadata: { namespace: 'shop', name: 'web' }, spec: service };
  await using server = await createApiServer({ objects: [web, { apiVersion: 'v1', kind: 'Pod', ...(pod as object) } as ApiObject] });
  const kubeconfig = join(makeFolder(), 'kubeconfig');
  await (await server.listen()).writeKubeconfig(kubeconfig);
  const withoutSlices = await runLine(`trace web.shop --release 1.37 --kubeconfig ${kubeconfig}`);
  expect([withoutSlices.code, withoutSlices.stderr]).toEqual([1, '']);
  expect(withoutSlices.stdout.split('\n').slice(0, 2)).toEqual([
    'UNREACHABLE: web.shop reaches nothing',
    'Cause:    SlicesMissEndpoints: The EndpointSlices are out of date: they lack web-1',
  ]);
  await server.client.create(resources.endpointSlices, slice as never);
  const { code, stdout } = await runLine(`trace web -n shop --kubeconfig ${kubeconfig}`);
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'web reaches 1 endpoint of Service shop/web.']);
});
