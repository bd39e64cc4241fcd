import { describe, expect, it } from 'vitest';
import { explainSlices } from '../../src/index.ts';
import { computeEndpointSlices } from '../../src/spec/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { makeNode } from './reason-fixtures.ts';

const nodes = [makeNode('n1', 'a')];

describe('explainSlices', () => {
  it('returns all fields of a pod in a slice', () => {
    const service = makeService({ trafficDistribution: 'PreferClose' });
    const { slices, ...explained } = explainSlices(service, [makePod()], { nodes });
    expect(slices).toEqual(computeEndpointSlices(service, [makePod()], { nodes }));
    expect(explained).toEqual({
      namespace: 'shop',
      name: 'web',
      version: '1.37',
      managed: true,
      reasons: [],
      hints: [{ addressType: 'IPv4', mode: 'SameZone', given: true, reasons: [expect.objectContaining({ code: 'HintsByDistribution' })] }],
      pods: [
        {
          namespace: 'shop',
          name: 'a',
          selected: true,
          slices: [
            {
              addressType: 'IPv4',
              addresses: ['10.0.0.1'],
              ports: ['http:8080/TCP'],
              conditions: { ready: true, serving: true, terminating: false },
              zone: 'a',
              hints: { forZones: [{ name: 'a' }] },
            },
          ],
          reasons: [{ code: 'PodReady', message: 'The pod is ready.', path: 'pod.status.conditions[Ready].status' }],
        },
      ],
    });
  });

  it('lists a dual-stack pod in a slice per address family', () => {
    const pod = makePod('a', { status: { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } });
    const [explained] = explainSlices(makeService({ ipFamilies: ['IPv6', 'IPv4'] }), [pod]).pods;
    expect(explained?.slices.map(({ addressType, addresses }) => [addressType, ...addresses])).toEqual([
      ['IPv4', '10.0.0.1'],
      ['IPv6', 'fd00::1'],
    ]);
  });

  it('sorts pods by namespace and name, and includes unselected pods of other namespaces', () => {
    const pods = [makePod('b'), makePod('a', { metadata: { name: 'a', namespace: 'other', labels: { app: 'web' } } }), makePod('a')];
    const { pods: explained } = explainSlices(makeService(), pods);
    expect(explained.map(({ namespace, name, selected, slices }) => [namespace, name, selected, slices.length])).toEqual([
      ['other', 'a', false, 0],
      ['shop', 'a', true, 1],
      ['shop', 'b', true, 1],
    ]);
  });

  it('ignores the deletion of the Service', () => {
    const terminatingService = makeService({}, { deletionTimestamp: '2026-01-31T12:00:00Z' });
    expect(explainSlices(terminatingService, [makePod()]).pods).toEqual(explainSlices(makeService(), [makePod()]).pods);
  });

  it('splits slices at maxEndpointsPerSlice', () => {
    const pods = ['a', 'b', 'c'].map((name, i) => makePod(name, { ip: `10.0.0.${i}` }));
    expect(explainSlices(makeService(), pods, { maxEndpointsPerSlice: 2 }).slices).toHaveLength(2);
    expect(() => explainSlices(makeService(), pods, { maxEndpointsPerSlice: 0 })).toThrow(RangeError);
  });

  it.each([
    ['1.16', makeService(), 'SlicesNotSpecified'],
    ['1.37', makeService({ selector: null }), 'ServiceHasNoSelector'],
    ['1.27', makeService({ type: 'ExternalName' }), 'ServiceIsExternalName'],
  ])('in %s returns no slices for an unmanaged Service', (version, service, code) => {
    const explained = explainSlices(service, [makePod()], { version });
    expect(explained).toMatchObject({ version, managed: false, reasons: [{ code }], slices: [], hints: [], pods: [] });
  });

  it('refuses an unknown version', () => {
    expect(() => explainSlices(makeService(), [], { version: '1.99' })).toThrow(RangeError);
  });
});
