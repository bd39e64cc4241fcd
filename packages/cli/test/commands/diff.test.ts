import { computeEndpoints } from 'kube-endpoints';
import type { Endpoints, Service } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import { diff } from '../../src/commands/diff.ts';
import type { Inventory } from '../../src/input/collection.ts';
import { createScope } from '../../src/input/scope.ts';
import { endpoints, inventoryOf, markedStyle, plainStyle, pod, service, wideStyle } from '../objects.ts';

const pods = [pod('a', 'web', '10.0.0.1')];
const web = service('web');
const expectedEndpoints = (target: Service, version = '1.37'): Endpoints => computeEndpoints(target, pods, { version }) as Endpoints;
const webEndpoints = expectedEndpoints(web);

function report(objects: Partial<Inventory>, version = '1.37') {
  const inventory = inventoryOf({ pods, ...objects });
  return diff(createScope(inventory, { namespace: undefined, names: [], includesOrphans: true }), inventory, { version });
}

test('diff fails if the input holds no Endpoints to compare with', () => {
  expect(() => report({ services: [web] })).toThrow(UsageError);
  expect(() => report({ services: [web] })).toThrow(
    /^nothing to compare with: the input holds no Endpoints and no EndpointSlices; give those of the cluster, too/,
  );
});

const other = endpoints('other', [{ addresses: [{ ip: '1.1.1.1' }] }], { namespace: 'elsewhere' });

describe('the exit code of diff', () => {
  test.each<[string, Partial<Inventory>, boolean]>([
    ['is 0 if the Endpoints are equal', { services: [web], endpoints: [webEndpoints] }, false],
    ['is 1 if the Endpoints differ', { services: [web], endpoints: [{ ...webEndpoints, subsets: [] }] }, true],
    ['is 1 if Endpoints are missing', { services: [web, service('db')], endpoints: [webEndpoints] }, true],
    ['is 1 if Endpoints have no Service', { endpoints: [other] }, true],
    ['is 0 if the Service is unmanaged', { services: [service('web', { selector: null })], endpoints: [webEndpoints] }, false],
    [
      'is 0 for a leader-election lock',
      { endpoints: [endpoints('x', [], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } })] },
      false,
    ],
  ])('%s', (_, objects, hasFindings) => {
    expect(report(objects).hasFindings).toBe(hasFindings);
  });
});

describe('the text of diff', () => {
  test('shows a minimal diff with signs in front', () => {
    const current = {
      ...webEndpoints,
      subsets: [{ addresses: [{ ip: '10.0.0.9', nodeName: 'n' }], ports: [{ port: 8080, protocol: 'TCP' }] }],
    };
    expect(report({ services: [web], endpoints: [current] }).text(plainStyle)).toEqual([
      'ENDPOINTS shop/web  (Kubernetes 1.37)   differs',
      expect.stringMatching(/^ {2}SubsetsDiffer: /),
      '    ...',
      '      endpoints.kubernetes.io/managed-by: endpoint-controller',
      '    subset 1:',
      '      port 8080/TCP',
      '  -   ready 10.0.0.9 on n',
      '  +   ready 10.0.0.1 a on node-1',
      '',
      '1 object compared with what Kubernetes 1.37 writes: 1 differs.',
    ]);
  });

  test('ignores the trigger time', () => {
    const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z', mine: 'x' };
    const current = { ...webEndpoints, subsets: [], metadata: { ...webEndpoints.metadata, annotations } };
    const lines = report({ services: [web], endpoints: [current] }).text(plainStyle);
    expect(lines).toContain('      mine: x');
    expect(lines.join('\n')).not.toContain('trigger-time');
  });

  test('shows equal objects with -o wide only', () => {
    const equalReport = report({ services: [web], endpoints: [webEndpoints] });
    const summary = '1 object compared with what Kubernetes 1.37 writes: 1 equal.';
    expect(equalReport.text(plainStyle)).toEqual([summary]);
    expect(equalReport.text(wideStyle)).toEqual(['ENDPOINTS shop/web  (Kubernetes 1.37)   equal', '', summary]);
  });

  test('counts every state in the summary', () => {
    const createMany = (name: string, count: number, create: (name: string) => Service = service) =>
      Array.from({ length: count }, (_, i) => create(`${name}-${i}`));
    const [equal, differs, missing] = [createMany('equal', 2), createMany('differs', 2), createMany('missing', 2)];
    const unmanaged = createMany('unmanaged', 2, (name) => service(name, { selector: null }));
    const existing = [
      ...equal.map((service) => expectedEndpoints(service)),
      ...differs.map((service) => ({ ...expectedEndpoints(service), metadata: { name: service.metadata?.name ?? '', namespace: 'shop' } })),
      ...[0, 1].map((i) => endpoints(`gone-${i}`)),
      ...[0, 1].map((i) => endpoints(`lock-${i}`, [], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '' } })),
    ];
    const lines = report({ services: [...equal, ...differs, ...missing, ...unmanaged], endpoints: existing }).text(plainStyle);
    expect(lines.at(-1)).toBe(
      '12 objects compared with what Kubernetes 1.37 writes: ' +
        '2 equal, 2 differ, 2 without Endpoints, 2 left over, 2 unmanaged, 2 leader-election locks skipped.',
    );
  });

  test('colours states and lines', () => {
    const painted = (objects: Partial<Inventory>) => report(objects).text(markedStyle);
    expect(painted({ services: [web], endpoints: [{ ...webEndpoints, subsets: [] }] })[0]).toMatch(/ {3}red\(differs\)$/);
    expect(painted({ services: [web], endpoints: [other] })).toEqual(
      expect.arrayContaining([
        'ENDPOINTS shop/web  (Kubernetes 1.37)   red(missing: there are no Endpoints for it)',
        'green(  +   ready 10.0.0.1 a on node-1)',
        'ENDPOINTS elsewhere/other  (Kubernetes 1.37)   yellow(left over: there is no Service of that name)',
      ]),
    );
    const fewer = { ...webEndpoints, subsets: [{ addresses: [{ ip: '10.0.0.9' }] }] };
    expect(painted({ services: [web], endpoints: [fewer] })).toContain('red(  -   ready 10.0.0.9)');
  });

  test('is empty if no object is in scope', () => {
    const inventory = inventoryOf({ endpoints: [other] });
    const emptyReport = diff(createScope(inventory, { namespace: 'shop', names: [], includesOrphans: true }), inventory, {
      version: '1.37',
    });
    expect({ found: emptyReport.hasFindings, text: emptyReport.text(plainStyle), data: emptyReport.data() }).toEqual({
      found: false,
      text: [],
      data: { items: [] },
    });
  });

  test('escapes control characters of the input', () => {
    const current = { ...webEndpoints, subsets: [{ addresses: [{ ip: '10.0.0.9', hostname: 'x\u001b[2J' }] }] };
    const text = report({ services: [web], endpoints: [current] })
      .text(plainStyle)
      .join('\n');
    expect(text).toContain('hostname x\\u001b[2J');
    expect(text).not.toContain('\u001b');
  });
});

test('diff data holds every compared object, including equal ones', () => {
  expect(report({ services: [web], endpoints: [webEndpoints, other] }).data()).toEqual({
    items: [
      expect.objectContaining({ namespace: 'shop', name: 'web', state: 'equal' }),
      expect.objectContaining({ namespace: 'elsewhere', name: 'other', state: 'leftOver', found: other }),
    ],
  });
});

test('diff follows the rules of the release', () => {
  const old = expectedEndpoints(web, '1.32');
  expect(report({ services: [web], endpoints: [old] }, '1.32').text(plainStyle)).toEqual([
    '1 object compared with what Kubernetes 1.32 writes: 1 equal.',
  ]);
  expect(report({ services: [web], endpoints: [old] }, '1.33').hasFindings).toBe(true);
});
