import { describe, expect, it } from 'vitest';
import { placePods } from '../../src/explain/placements.ts';
import { createSliceExplainer } from '../../src/explain/slice-pods.ts';
import { explainSlices } from '../../src/explain/slices.ts';
import type { Node, Pod, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { makeNode } from './reason-fixtures.ts';

const terminatingMetadata = { name: 'a', namespace: 'shop', labels: { app: 'web' }, deletionTimestamp: '2026-01-31T12:00:00Z' };
const codes = (service: Service, pods: readonly Pod[], version = '1.37', nodes?: readonly Node[]) =>
  explainSlices(service, pods, { version, nodes }).pods.map(({ slices, reasons }) => [slices.length, ...reasons.map(({ code }) => code)]);

describe('explainSlices: a pod in no slice', () => {
  it('has only the first rule that leaves it out as its reason', () => {
    const pod = makePod('a', { metadata: terminatingMetadata, status: { phase: 'Failed', podIP: '', podIPs: [] } });
    expect(codes(makeService(), [pod])).toEqual([[0, 'PodTerminal']]);
    expect(codes(makeService(), [pod], '1.21')).toEqual([[0, 'PodHasNoIP']]);
    expect(codes(makeService(), [makePod('a', { metadata: terminatingMetadata })], '1.21')).toEqual([[0, 'PodTerminating']]);
  });

  it('has no further reasons if its labels do not match', () => {
    expect(codes(makeService({ selector: { app: 'db' } }), [makePod('a', { metadata: terminatingMetadata })])).toEqual([
      [0, 'PodLabelsDoNotMatch'],
    ]);
  });

  it('has a single NodeMissing, regardless of the number of address types', () => {
    const dualStack = makeService({ ipFamilies: ['IPv4', 'IPv6'] });
    expect(codes(dualStack, [makePod()], '1.37', [])).toEqual([[0, 'NodeMissing']]);
    expect(codes(dualStack, [makePod()], '1.23', [])).toEqual([[0, 'NodeMissingStopsSync', 'NodeMissingStopsSync']]);
  });

  it('has PodHasNoIPOfFamily if it has no address of any type', () => {
    expect(codes(makeService({ ipFamilies: ['IPv6'] }), [makePod()])).toEqual([[0, 'PodHasNoIPOfFamily']]);
  });
});

describe('explainSlices: a pod in slices', () => {
  it.each<[string, Service, Pod, string, readonly unknown[]]>([
    ['ready', makeService(), makePod(), '1.37', [1, 'PodReady']],
    ['not ready', makeService(), makePod('a', { ready: false }), '1.37', [1, 'PodNotReady']],
    ['of one family out of two', makeService({ ipFamilies: ['IPv4', 'IPv6'] }), makePod(), '1.37', [1, 'PodReady', 'PodHasNoIPOfFamily']],
    [
      'terminating and published',
      makeService({ publishNotReadyAddresses: true }),
      makePod('a', { metadata: terminatingMetadata }),
      '1.37',
      [1, 'PodPublishedNotReady'],
    ],
    [
      'without ports, with one reason per port',
      makeService({ ports: [1, 2].map((port) => ({ port, protocol: 'TCP', targetPort: `p${port}` })) }),
      makePod(),
      '1.37',
      [1, 'PodReady', 'PodWithoutPorts', 'PortNotFound', 'PortNotFound'],
    ],
    ['of a headless Service without ports', makeService({ clusterIP: 'None', ports: [] }), makePod(), '1.37', [1, 'PodReady']],
    [
      'with a host name that is not published',
      makeService({ clusterIP: 'None' }),
      makePod('a', { spec: { nodeName: 'n1', hostname: 'h' } }),
      '1.37',
      [1, 'PodReady', 'HostnameLeftOut'],
    ],
  ])('has the expected reasons: a pod %s', (_, service, pod, version, expected) => {
    expect(codes(service, [pod], version)).toEqual([expected]);
  });

  it('has no reason about nodes if its node exists', () => {
    const published = makeService({ publishNotReadyAddresses: true });
    expect(codes(published, [makePod()], '1.37', [makeNode('n1', 'a')])).toEqual([[1, 'PodReady']]);
  });
});

it('createSliceExplainer reports EndpointShared for a pod that no final slice contains', () => {
  const placements = placePods(makeService(), [makePod()], profileFor('1.37'));
  const explain = createSliceExplainer(placements, undefined, () => []);
  expect(explain(makePod(), undefined)).toMatchObject({ slices: [], reasons: [{ code: 'EndpointShared' }] });
});
