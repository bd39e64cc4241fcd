import { describe, expect, it } from 'vitest';
import { explainHints } from '../../src/explain/slices.ts';
import { explainSlices } from '../../src/index.ts';
import type { Node, Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { makeNode } from './reason-fixtures.ts';

const nodes = [makeNode('n1', 'a'), makeNode('n2', 'b')];
const pods = [makePod('a'), makePod('b', { ip: '10.0.0.2', spec: { nodeName: 'n2' } })];
const summarizeHints = (service: Service, clusterNodes: readonly Node[] | undefined = nodes, version = '1.37') =>
  explainSlices(service, pods, { version, nodes: clusterNodes }).hints.map(({ addressType, mode, given, reasons }) => [
    addressType,
    mode,
    given,
    ...reasons.map(({ code }) => code),
  ]);
const annotatedService = (annotations: Record<string, string>, spec: Service['spec'] = {}): Service => makeService(spec, { annotations });
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';

describe('explainHints', () => {
  it('returns nothing if no hints are requested', () => {
    expect(summarizeHints(makeService())).toEqual([]);
    expect(summarizeHints(annotatedService({ [hintsAnnotation]: 'Disabled' }))).toEqual([]);
  });

  it('explains each address type separately', () => {
    expect(summarizeHints(annotatedService({ [hintsAnnotation]: 'Auto' }, { ipFamilies: ['IPv4', 'IPv6'] }))).toEqual([
      ['IPv4', 'Topology', true, 'HintsEnabled'],
      ['IPv6', 'Topology', false, 'InsufficientNumberOfEndpoints'],
    ]);
  });

  it('reports ignored settings in addition to the effective one', () => {
    expect(summarizeHints(annotatedService({ [hintsAnnotation]: 'yes' }, { trafficDistribution: 'PreferClose' }))).toEqual([
      ['IPv4', 'SameZone', true, 'TopologyAnnotationUnknown', 'HintsByDistribution'],
    ]);
    expect(summarizeHints(makeService({ trafficDistribution: 'Far' }))).toEqual([['IPv4', undefined, false, 'TrafficDistributionUnknown']]);
  });

  it('reports NodesUnknown if no nodes are given', () => {
    const hintsWithoutNodes = explainSlices(annotatedService({ [hintsAnnotation]: 'Auto' }), pods).hints;
    expect(hintsWithoutNodes.map(({ given, reasons }) => [given, ...reasons.map(({ code }) => code)])).toEqual([[false, 'NodesUnknown']]);
    expect(summarizeHints(annotatedService({ [hintsAnnotation]: 'Auto' }), [])).toEqual([
      ['IPv4', 'Topology', false, 'NodesReadyInFewZones'],
    ]);
  });

  it('counts ready endpoints only', () => {
    const service = makeService({ trafficDistribution: 'PreferClose' });
    const [hint] = explainSlices(service, [makePod(), makePod('b', { ip: '10.0.0.2', ready: false })], { nodes }).hints;
    expect(hint?.reasons.map(({ message }) => message)).toEqual(['Ready endpoints with a hint for their own zone: 1 of 1.']);
  });

  it('uses the reasons of the plan about hints and the address type only', () => {
    const reasons = [
      { code: 'HintsEnabled', message: 'IPv6: Endpoints are allocated to the zones.', addressType: 'IPv6' },
      { code: 'EndpointsAdded', message: 'x', addressType: 'IPv4' },
    ] as const;
    const explained = explainHints(
      annotatedService({ [hintsAnnotation]: 'Auto' }),
      ['IPv4', 'IPv6'],
      { create: [], reasons: [...reasons] },
      true,
      profileFor(),
    );
    expect(explained.map((hint) => hint.reasons.map(({ code }) => code))).toEqual([[], ['HintsEnabled']]);
  });
});
