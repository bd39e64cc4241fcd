import { describe, expect, it } from 'vitest';
import { compareReleases } from '../../src/explain/index.ts';
import type { Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const differencesOf = (service: Service, pods: readonly Pod[], from: string, to: string) =>
  compareReleases(service, pods, { from, to }).differences.map(({ what, gates }) => [what, ...gates]);

const ports = (...targets: (number | string)[]) =>
  targets.map((targetPort, i) => ({ name: `p${i}`, port: 80 + i, protocol: 'TCP', targetPort }));

describe('compareReleases: differences', () => {
  it.each<{ name: string; service: Service; pods: Pod[]; from: string; to: string; expected: string[][] }>([
    { name: 'no differences', service: makeService(), pods: [makePod()], from: '1.25', to: '1.32', expected: [] },
    {
      name: 'existence',
      service: makeService({ type: 'ExternalName' }),
      pods: [makePod()],
      from: '1.26',
      to: '1.27',
      expected: [['existence', 'externalNameSkipped']],
    },
    {
      name: 'addresses',
      service: makeService(),
      pods: [makePod('a', { status: { phase: 'Failed' } })],
      from: '1.22.10',
      to: '1.22.11',
      expected: [['addresses', 'terminalPodsExcluded']],
    },
    {
      name: 'readiness',
      service: makeService({}, { annotations: { 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' } }),
      pods: [makePod('a', { ready: false })],
      from: '1.23',
      to: '1.24',
      expected: [['readiness', 'tolerateUnreadyAnnotationIgnored']],
    },
    {
      name: 'ports',
      service: makeService({ ports: [{ port: 80, targetPort: 80, appProtocol: 'h2' }] }),
      pods: [makePod()],
      from: '1.18',
      to: '1.19',
      expected: [['ports', 'appProtocolCopied']],
    },
    {
      name: 'targets',
      service: makeService(),
      pods: [makePod('a', { metadata: { resourceVersion: '1' } })],
      from: '1.23',
      to: '1.24',
      expected: [['targets', 'targetResourceVersionOmitted']],
    },
    {
      name: 'order',
      service: makeService({ ports: ports(1, 2, 3, 4, 5) }),
      pods: [makePod()],
      from: '1.34',
      to: '1.35',
      expected: [['order', 'orderedByFNV']],
    },
    { name: 'labels', service: makeService(), pods: [makePod()], from: '1.32', to: '1.33', expected: [['labels', 'managedByLabel']] },
    {
      name: 'two differences with separate causes',
      service: makeService(),
      pods: [makePod('a', { ip: '010.0.0.1' })],
      from: '1.32',
      to: '1.33',
      expected: [
        ['addresses', 'addressCanonicalized'],
        ['labels', 'managedByLabel'],
      ],
    },
    {
      name: 'annotations',
      service: makeService(),
      pods: Array.from({ length: 1001 }, (_, i) => makePod(`p${i}`, { ip: `10.0.${i >> 8}.${i & 255}` })),
      from: '1.20',
      to: '1.21',
      expected: [['annotations', 'overCapacityWarned']],
    },
  ])('reports $name', ({ service, pods, from, to, expected }) => {
    expect(differencesOf(service, pods, from, to)).toEqual(expected);
    for (const { message } of compareReleases(service, pods, { from, to }).differences) expect(message).toMatch(/^[A-Z].*\.$/);
  });
});

describe('compareReleases', () => {
  it('returns both objects, the pods that change, and the write of the takeover', () => {
    const pods = [makePod('a', { status: { phase: 'Failed' } }), makePod('b', { ip: '10.0.0.2' })];
    const {
      before,
      after,
      pods: changedPods,
      takeover,
      ...rest
    } = compareReleases(makeService(), pods, { from: '1.22.10', to: '1.22.11' });
    expect(rest).toMatchObject({ namespace: 'shop', name: 'web', from: '1.22.10', to: '1.22.11', same: false });
    expect([before?.subsets?.[0]?.addresses?.length, after?.subsets?.[0]?.addresses?.length]).toEqual([2, 1]);
    expect(changedPods.map((pod) => [pod.before.name, pod.before.included, pod.after.included, pod.after.reasons[0]?.code])).toEqual([
      ['a', true, false, 'PodTerminal'],
    ]);
    expect(takeover).toMatchObject({ action: 'update', reasons: [{ code: 'SubsetsDiffer' }] });
  });

  it.each([
    ['1.34', '1.35', 'none', 'EndpointsEqual'],
    ['1.32', '1.33', 'update', 'LabelsDiffer'],
    ['1.17', '1.18', 'update', 'SubsetsDiffer'],
  ])('for a takeover from %s to %s with reordered ports, plans the action %s', (from, to, action, code) => {
    const { takeover } = compareReleases(makeService({ ports: ports(1, 2, 3, 4, 5) }), [makePod()], { from, to });
    expect(takeover).toMatchObject({ action, reasons: [{ code }] });
  });

  it('creates Endpoints that the older release does not write, and writes none that the newer release does not manage', () => {
    const externalNameService = makeService({ type: 'ExternalName' });
    expect(compareReleases(externalNameService, [makePod()], { from: '1.27', to: '1.26' }).takeover.action).toBe('create');
    expect(compareReleases(externalNameService, [makePod()], { from: '1.26', to: '1.27' }).takeover).toMatchObject({
      action: 'none',
      reasons: [{ code: 'ServiceIsExternalName' }],
    });
  });

  it('accepts pods that share an address', () => {
    const pods = [makePod('a', { metadata: { uid: 'u' } }), makePod('b', { metadata: { uid: 'u' }, ready: false })];
    expect(compareReleases(makeService({ ports: ports(1, 'x') }), pods, { from: '1.29', to: '1.30' }).same).toBe(true);
  });

  it('refuses an unknown version on either side', () => {
    expect(() => compareReleases(makeService(), [], { from: '1.8', to: '1.20' })).toThrow(RangeError);
    expect(() => compareReleases(makeService(), [], { from: '1.20', to: '1.38' })).toThrow(RangeError);
  });
});
