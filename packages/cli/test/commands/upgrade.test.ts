import type { ReleaseComparison } from 'kube-endpoints/explain';
import type { Pod, Service } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { upgrade } from '../../src/commands/upgrade.ts';
import { releasesOf } from '../../src/flags/upgrade.ts';
import { compareAreas, listUncomparedAreas } from '../../src/report/upgrade-areas.ts';
import { failedStatus, inventoryOf, markedStyle, node, plainStyle, pod, scopeOf, service, wideStyle } from '../objects.ts';

const web = service('web');
const db = service('db');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2', failedStatus), pod('c', 'db', '10.0.0.3')];
const report = (services: readonly Service[], selectedPods: readonly Pod[], from: string, to: string) =>
  upgrade(scopeOf({ services, pods: selectedPods }), { from: { version: from }, to: { version: to } });
const splitCells = (lines: readonly string[]): string[][] => lines.map((line) => line.split(/ {3,}/));

test('upgrade reports nothing without Services', () => {
  const emptyReport = report([], pods, '1.21', '1.37');
  expect({ found: emptyReport.hasFindings, text: emptyReport.text(plainStyle), data: emptyReport.data() }).toEqual({
    found: false,
    text: [],
    data: { items: [], areas: [], uncomparedAreas: [], rejectedFeatureGates: [] },
  });
});

test('upgrade prints a summary if nothing changes, and a row per Service with -o wide', () => {
  const unchangedReport = report([web, db], pods, '1.36', '1.37');
  const verdict = [
    'Kubernetes 1.36 to 1.37: Endpoints of 0 of 2 Services change, 0 pods moved, 0 Endpoints objects written at the first sync.',
    'EndpointSlices of 0 Services change, 0 slices written at the first sync.',
  ];
  expect(unchangedReport.hasFindings).toBe(false);
  expect(unchangedReport.text(plainStyle)).toEqual(verdict);
  expect(splitCells(unchangedReport.text(wideStyle))).toEqual([
    ['NAMESPACE', 'SERVICE', 'PODS MOVED', 'FIRST SYNC', 'SLICES WRITTEN', 'BECAUSE', 'DIFFERENCES'],
    ['shop', 'db', '0', 'none', '0', 'EndpointsEqual'],
    ['shop', 'web', '0', 'none', '0', 'EndpointsEqual'],
    [''],
    ...verdict.map((line) => [line]),
  ]);
});

test('upgrade lists Services, pods and causes that change', () => {
  const changedReport = report([web, db], pods, '1.21', '1.33');
  expect(changedReport.hasFindings).toBe(true);
  const lines = changedReport.text(plainStyle);
  expect(splitCells(lines.slice(0, 4))).toEqual([
    ['NAMESPACE', 'SERVICE', 'PODS MOVED', 'FIRST SYNC', 'SLICES WRITTEN', 'DIFFERENCES'],
    ['shop', 'db', '0', 'update', '1', 'labels, slices conditions'],
    ['shop', 'web', '1', 'update', '1', 'addresses, labels, slices endpoints, slices conditions'],
    [''],
  ]);
  expect(splitCells(lines.slice(4, 7))).toEqual([
    ['POD', 'SERVICE', '1.21', '1.33', 'WHY'],
    ['b', 'shop/web', 'not ready 10.0.0.2', 'left out', expect.stringMatching(/^1\.33: PodTerminal: /)],
    [''],
  ]);
  const causes = splitCells(lines.slice(7, -3));
  expect(causes[0]).toEqual(['CAUSE', 'REFERENCE', 'SINCE', 'AFFECTED', 'WHAT CHANGED']);
  expect(causes.slice(1).map(([gate, , , services]) => [gate, services])).toEqual([
    ['terminalPodsExcluded', '1'],
    ['managedByLabel', '2'],
    ['terminatingPodsIncluded', '2'],
  ]);
  expect(lines.slice(-2)).toEqual([
    'Kubernetes 1.21 to 1.33: Endpoints of 2 of 2 Services change, 1 pod moved, 2 Endpoints objects written at the first sync.',
    'EndpointSlices of 2 Services change, 2 slices written at the first sync.',
  ]);
});

test('upgrade explains a downgrade by the release that leaves the pod out', () => {
  const lines = report([web], pods, '1.33', '1.21').text(plainStyle);
  const moved = lines.find((line) => line.startsWith('b '));
  expect(moved?.split(/ {3,}/)).toEqual([
    'b',
    'shop/web',
    'left out',
    'not ready 10.0.0.2',
    expect.stringMatching(/^1\.33: PodTerminal: /),
  ]);
});

describe('upgrade with -o wide', () => {
  test('shows the reasons for a write and describes each difference', () => {
    const lines = report([web], pods, '1.21', '1.33').text(wideStyle);
    expect(splitCells(lines.slice(1, 3))).toEqual([
      ['shop', 'web', '1', 'update', '1', 'SubsetsDiffer,LabelsDiffer,slices:EndpointsDiffer', 'addresses: Other addresses are listed.'],
      ['', 'labels: The labels differ.'],
    ]);
    expect(lines.slice(3, 5).map((line) => line.trim())).toEqual([
      'slices endpoints: Other endpoints are listed.',
      'slices conditions: Endpoints have other conditions.',
    ]);
  });
});

test('upgrade reports a Service that only one of the releases manages', () => {
  const external = service('web', { type: 'ExternalName' });
  const removalReport = report([external], pods, '1.26', '1.27');
  expect(removalReport.hasFindings).toBe(true);
  expect(splitCells(removalReport.text(plainStyle))[1]).toEqual([
    'shop',
    'web',
    expect.any(String),
    'none',
    '0',
    'existence, slices existence',
  ]);
  const [restored] = (report([external], pods, '1.27', '1.26').data() as { items: ReleaseComparison[] }).items;
  expect(restored?.takeover.action).toBe('create');
});

test('upgrade ignores pods of other namespaces and labels', () => {
  const unrelatedPods = [pod('x', 'web', '10.0.0.9', failedStatus, 'other'), pod('y', 'else', '10.0.0.8', failedStatus)];
  const [comparison] = (report([web], unrelatedPods, '1.21', '1.25').data() as { items: ReleaseComparison[] }).items;
  expect(comparison?.pods).toEqual([]);
});

test('upgrade colours states and writes', () => {
  const text = report([web], pods, '1.21', '1.33').text(markedStyle).join('\n');
  for (const painted of ['yellow(update)', 'yellow(not ready 10.0.0.2)', 'red(left out)']) expect(text).toContain(painted);
});

describe('upgrade of EndpointSlices', () => {
  test('is omitted with a note for a release before 1.17', () => {
    const comparison = report([web], [pods[0] as Pod], '1.16', '1.22');
    const lines = comparison.text(plainStyle);
    expect(lines.join('\n')).not.toContain('SLICES WRITTEN');
    expect(lines.at(-1)).toBe('EndpointSlices are specified for 1.17 and later (discovery.k8s.io/v1beta1): they are not compared.');
    expect((comparison.data() as { items: object[] }).items[0]).not.toHaveProperty('slices');
  });

  test('reports a change in slices only', () => {
    const changedReport = report([service('db')], [pod('c', 'db', '10.0.0.3')], '1.21.1', '1.22.1');
    expect(changedReport.hasFindings).toBe(true);
    expect(splitCells(changedReport.text(plainStyle))[1]).toEqual(['shop', 'db', '0', 'none', '0', 'slices conditions']);
  });

  test('gives a hint if topology hints are unknown without nodes', () => {
    const preferClose = service('web', { trafficDistribution: 'PreferClose' });
    const hints = [
      'The input has no Nodes, so zones are unknown and hints of 1 Service that asks for hints cannot be computed: add the Nodes.',
    ];
    expect(report([preferClose], pods, '1.33', '1.37').hints).toEqual(hints);
    expect(report([web], pods, '1.33', '1.37').hints).toEqual([]);
    expect(
      upgrade(scopeOf({ services: [preferClose], pods, nodes: [] }), { from: { version: '1.33' }, to: { version: '1.37' } }).hints,
    ).toEqual([]);
  });
});

describe('upgrade beyond Endpoints and slices', () => {
  const loadBalancer = service('web', {
    type: 'LoadBalancer',
    externalIPs: ['198.51.100.1'],
    clusterIPs: ['10.96.0.1', 'fd00::1'],
  } as object);
  const node = (name: string, status: string) => ({
    metadata: { name },
    spec: { providerID: name },
    status: { addresses: [{ type: 'InternalIP', address: '192.168.0.1' }], conditions: [{ type: 'Ready', status }] },
  });
  const objects = { services: [loadBalancer], pods, nodes: [node('n1', 'True'), node('n2', 'False')] };
  const areasOf = (from: string, to: string) =>
    compareAreas({
      scope: scopeOf(objects),
      inventory: inventoryOf(objects),
      live: false,
      from: { version: from },
      to: { version: to },
    });

  test('lists load balancers, records, rules and deprecations with the changes that cause them', () => {
    const changes = areasOf('1.24', '1.37').map(({ area, object, change, causes }) => [
      area,
      object,
      change,
      causes.map(({ name }) => name),
    ]);
    expect(changes).toEqual([
      ['load balancer', 'shop/web', 'nodes n1 -> n1, n2', ['stableNodeSet']],
      ['rules', 'iptables on n1', expect.stringMatching(/^\d+ lines? removed, \d+ added$/), expect.arrayContaining(['localnetRule'])],
      ['rules', 'ipvs on n1', expect.stringMatching(/^\d+ lines? removed, \d+ added$/), expect.arrayContaining(['hostPortsHidden'])],
      ['deprecation', 'kube-proxy --proxy-mode=ipvs, if used', 'deprecated since 1.35.0', ['ipvs']],
      ['deprecation', 'Service shop/web', 'deprecated since 1.36.0', ['externalIPs']],
    ]);
    const records = areasOf('1.21', '1.22').filter(({ area }) => area === 'DNS');
    expect(records).toMatchObject([
      {
        object: 'web.shop.svc.cluster.local. 5 IN AAAA fd00::1',
        change: 'added by CoreDNS 1.8.0 -> 1.8.4',
        causes: [{ name: 'allClusterIPs', reference: '#4339', since: '1.8.1' }],
      },
    ]);
  });

  test('finds nothing for a release itself, and compares the rules of early releases', () => {
    expect(areasOf('1.36', '1.36')).toEqual([]);
    expect(areasOf('1.17', '1.23').flatMap(({ area, object }) => (area === 'rules' ? object : []))).toEqual(['iptables on n1']);
  });

  test('prints the changes before their causes, and is no finding if only rules differ or something is deprecated', () => {
    const releases = { from: { version: '1.34' }, to: { version: '1.35' } };
    const areas = areasOf('1.34', '1.35');
    const lines = upgrade(scopeOf(objects), releases, areas).text(plainStyle);
    expect(splitCells(lines).find(([area]) => area === 'deprecation')).toEqual([
      'deprecation',
      'kube-proxy --proxy-mode=ipvs, if used',
      'deprecated since 1.35.0',
      'The mode ipvs of kube-proxy is deprecated and will be removed: use nftables.',
    ]);
    expect(upgrade(scopeOf({ services: [] }), releases, areas).hasFindings).toBe(false);
    expect(upgrade(scopeOf({ services: [] }), { ...releases, from: { version: '1.24' } }, areasOf('1.24', '1.35')).hasFindings).toBe(true);
  });

  test('reports feature gates that the new release rejects, and refuses those that the current one does not have', () => {
    const { flags, rejectedGates } = releasesOf({
      from: '1.22',
      to: '1.25',
      featureGates: { IPv6DualStack: true, TopologyAwareHints: true },
    });
    expect(flags).toEqual({
      from: { version: '1.22', featureGates: { IPv6DualStack: true, TopologyAwareHints: true } },
      to: { version: '1.25', featureGates: { TopologyAwareHints: true } },
    });
    expect(rejectedGates).toEqual([
      'The components do not start with the feature gate IPv6DualStack: Kubernetes 1.25 has no such gate, because 1.25 removed it: leave it out',
    ]);
    expect(upgrade(scopeOf({ services: [web] }), flags, [], rejectedGates).text(plainStyle)).toContain(rejectedGates[0]);
    expect(() => releasesOf({ from: '1.36', to: '1.37', featureGates: { IPv6DualStack: true } })).toThrow(
      '--feature-gates: IPv6DualStack: ',
    );
    const dependent = releasesOf({ from: '1.35', to: '1.36', featureGates: { ContainerRestartRules: false } });
    expect(dependent.flags.to.featureGates).toEqual({});
    expect(dependent.rejectedGates).toEqual([
      'The components do not start with the feature gate ContainerRestartRules: off, but RestartAllContainersOnContainerExits needs it: turn both on or off',
    ]);
    const bothOff = { ContainerRestartRules: false, RestartAllContainersOnContainerExits: false };
    expect(releasesOf({ from: '1.36', to: '1.37', featureGates: bothOff }).rejectedGates).toEqual([]);
  });
});

test.each([
  ['1.9', '1.37', 'Ready True -> False'],
  ['1.37', '1.9', 'Ready False -> True'],
])('upgrade compares readiness from %s to %s', (from, to, change) => {
  const gatedPod = pod('a', 'web', '10.0.0.1', { containerStatuses: [{ name: 'web', ready: true, state: { running: {} } }] });
  const objects = {
    services: [web],
    pods: [{ ...gatedPod, spec: { ...gatedPod.spec, readinessGates: [{ conditionType: 'example.com/gate' }] } }],
    nodes: [node('n1', 'zone-1')],
  };
  const releases = { from: { version: from }, to: { version: to } };
  const areas = compareAreas({ scope: scopeOf(objects), inventory: inventoryOf(objects), live: false, ...releases });
  expect(areas.map(({ area, object, change, causes }) => [area, object, change, causes.map(({ name }) => name)])).toContainEqual([
    'readiness',
    'pod shop/a',
    change,
    ['readinessGatesEvaluated'],
  ]);
});

test.each([
  ['1.17', '1.37', [node('n1', 'zone-1')], [/^DNS records are not compared: .* Kubernetes 1\.17\.$/]],
  ['1.24', '1.37', undefined, ['Traffic and rules of kube-proxy are not compared: the input has no Nodes.']],
  ['1.24', '1.37', [node('n1', 'zone-1')], []],
  [
    '1.37',
    '1.16',
    [node('n1', 'zone-1')],
    [
      'DNS records are not compared: no release of CoreDNS is specified for Kubernetes 1.16.',
      'Traffic and rules of kube-proxy are not compared: the rules of Kubernetes 1.16 are not specified, only from 1.17 on.',
    ],
  ],
] as const)('upgrade from %s to %s says what it does not compare, case %#', (from, to, nodes, expected) => {
  const objects = { services: [web], pods, ...(nodes && { nodes }) };
  const input = { scope: scopeOf(objects), inventory: inventoryOf(objects), live: false, from: { version: from }, to: { version: to } };
  const uncompared = listUncomparedAreas(input);
  expect(uncompared).toEqual(expected.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));
  const report = upgrade(input.scope, input, [], [], uncompared);
  expect(report.text(plainStyle).filter((line) => line.includes(' are not compared: '))).toEqual(uncompared);
  expect(report.data()).toMatchObject({ uncomparedAreas: uncompared });
});
