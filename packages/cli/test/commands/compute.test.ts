import { describe, expect, test } from 'vitest';
import { type ComputeOptions, compute } from '../../src/commands/compute.ts';
import { failedStatus, markedStyle, notReadyStatus, plainStyle, pod, scopeOf, service, wideStyle } from '../objects.ts';

const options: ComputeOptions = { version: '1.37', allNamespaces: false, single: false };
const web = service('web');
const manual = service('by-hand', { selector: null });
const webPods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2', notReadyStatus), pod('c', 'web', '10.0.0.3', failedStatus)];

describe('the text of compute', () => {
  test('has a row per Service, with a namespace column only for all namespaces', () => {
    const scope = scopeOf({ services: [web, manual], pods: webPods });
    expect(compute(scope, options).text(plainStyle)).toEqual(['NAME      ENDPOINTS', 'by-hand   <unmanaged>', 'web       10.0.0.1:8080']);
    expect(compute(scope, { ...options, allNamespaces: true }).text(plainStyle)).toEqual([
      'NAMESPACE   NAME      ENDPOINTS',
      'shop        by-hand   <unmanaged>',
      'shop        web       10.0.0.1:8080',
    ]);
  });

  test('counts each pod once with -o wide, even if it is in several subsets', () => {
    const ports = [
      { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 },
      { name: 'named', port: 81, protocol: 'TCP', targetPort: 'http' },
    ];
    const podWithNamedPort = pod('d', 'web', '10.0.0.4');
    const withPort = {
      ...podWithNamedPort,
      spec: { ...podWithNamedPort.spec, containers: [{ ports: [{ name: 'http', containerPort: 90, protocol: 'TCP' }] }] },
    };
    const scope = scopeOf({ services: [service('web', { ports }), manual], pods: [...webPods, withPort] });
    const [, unmanaged, row] = compute(scope, options).text(wideStyle);
    expect(unmanaged).toMatch(/^by-hand +<none> +<none> +<none> +<none> +<unmanaged>$/);
    expect(row?.split(/ {3,}/)).toEqual(['web', '2', '1', '1', '2', '10.0.0.1:8080,10.0.0.4:8080,10.0.0.4:90']);
  });

  test('is not wrapped on a terminal, and is empty without Services', () => {
    const scope = scopeOf({ services: [web], pods: webPods });
    expect(compute(scope, options).text({ ...plainStyle, width: 10 })).toEqual(['NAME   ENDPOINTS', 'web    10.0.0.1:8080']);
    expect(compute(scopeOf({ pods: webPods }), options).text(plainStyle)).toEqual([]);
  });

  test('dims unmanaged Services', () => {
    expect(compute(scopeOf({ services: [manual] }), options).text(markedStyle)[1]).toBe('by-hand   dim(<unmanaged>)');
  });
});

describe('the data of compute', () => {
  const other = service('web', {}, { namespace: 'other' });
  const namesIn = (data: unknown): unknown[] =>
    (data as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);

  test('is a single object for one Service requested by name', () => {
    expect(compute(scopeOf({ services: [web] }), { ...options, single: true }).data()).toMatchObject({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web', namespace: 'shop' },
    });
  });

  test.each([
    ['is a List if the Service is not requested by name', [web], false, ['web']],
    ['is a List if two namespaces have the Service', [web, other], true, ['web', 'web']],
    ['is an empty List for an unmanaged Service', [manual], true, []],
    ['omits an unmanaged Service', [web, manual], false, ['web']],
    ['is an empty List without Services', [], false, []],
  ])('%s', (_, services, single, names) => {
    const data = compute(scopeOf({ services }), { ...options, single }).data();
    expect(data).toMatchObject({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' } });
    expect(namesIn(data)).toEqual(names);
  });

  test.each([
    ['1.21', ['10.0.0.2', '10.0.0.3']],
    ['1.25', ['10.0.0.2']],
  ])('follows the rules of Kubernetes %s', (version, ips) => {
    const data = compute(scopeOf({ services: [web], pods: webPods }), { ...options, version, single: true }).data();
    expect((data as { subsets: { notReadyAddresses: { ip: string }[] }[] }).subsets[0]?.notReadyAddresses.map(({ ip }) => ip)).toEqual(ips);
  });
});

test.each([
  [[web], []],
  [[web, manual], ['1 Service without a selector or of type ExternalName: the controller does not write Endpoints for it.']],
  [
    [manual, service('out', { type: 'ExternalName' })],
    ['2 Services without a selector or of type ExternalName: the controller does not write Endpoints for them.'],
  ],
])('compute gives a hint about unmanaged Services (%#)', (services, hints) => {
  const report = compute(scopeOf({ services }), options);
  expect(report.hints).toEqual(hints);
  expect(report.hasFindings).toBe(false);
});
