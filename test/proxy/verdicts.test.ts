import { describe, expect, it } from 'vitest';
import { endpointVerdicts, proxyReason, proxyReasons } from '../../src/proxy/index.ts';
import { nodeOf, type ProxyCase, readVectors, viewOf } from '../golden/proxy/form.ts';
import { drainingConditions, type EndpointSpec, makeWebService, node, portOf } from './fixtures.ts';

const externalLocalService = makeWebService({
  type: 'NodePort',
  externalTrafficPolicy: 'Local',
  ports: [{ name: 'http', port: 80, nodePort: 30_080 }],
});
const terminatedConditions = { ready: false, serving: false, terminating: true } as const;
const verdicts = (endpoints: readonly EndpointSpec[], service = externalLocalService) =>
  endpointVerdicts(portOf(service, endpoints), node).map(({ cluster, local, reachable }) => [cluster, local, reachable]);

describe('endpointVerdicts: an endpoint', () => {
  it.each<[string, readonly EndpointSpec[], readonly unknown[]]>([
    ['gets traffic if it is ready', [{ ip: '10.0.0.1', node: 'n1' }], ['Ready', 'Ready', true]],
    ['is not local if it is on another node', [{ ip: '10.0.0.1' }], ['Ready', 'NotLocal', true]],
    ['gets no traffic if it is not ready', [{ ip: '10.0.0.1', node: 'n1', ready: false }], ['NotReady', 'NotReady', false]],
    [
      'gets traffic while terminating if no endpoint is ready',
      [{ ip: '10.0.0.1', node: 'n1', ...drainingConditions }],
      ['TerminatingFallback', 'TerminatingFallback', true],
    ],
    [
      'gets traffic while terminating if no endpoint of this node is ready',
      [{ ip: '10.0.0.1', node: 'n1', ...drainingConditions }, { ip: '10.0.0.2' }],
      ['Terminating', 'TerminatingFallback', true],
    ],
    [
      'gets no traffic if it is terminating and not serving',
      [{ ip: '10.0.0.1', node: 'n1', ...terminatedConditions }],
      ['TerminatingNotServing', 'TerminatingNotServing', false],
    ],
    [
      'gets traffic if it is terminating but published as ready',
      [{ ip: '10.0.0.1', node: 'n1', serving: false, terminating: true }],
      ['Ready', 'Ready', true],
    ],
    [
      'gets no traffic if its hints name another zone',
      [
        { ip: '10.0.0.1', zones: ['b'] },
        { ip: '10.0.0.2', zones: ['a'] },
      ],
      ['HintsOtherZone', 'NotLocal', false],
    ],
    [
      'gets no traffic if its hints name another node',
      [
        { ip: '10.0.0.1', nodes: ['n2'] },
        { ip: '10.0.0.2', nodes: ['n1'] },
      ],
      ['HintsOtherNode', 'NotLocal', false],
    ],
  ])('%s', (_, endpoints, verdict) => {
    expect(verdicts(endpoints)[0]).toEqual(verdict);
  });

  it('has the verdict PolicyNotUsed under a policy that the Service does not use', () => {
    expect(verdicts([{ ip: '10.0.0.1', node: 'n1' }], makeWebService())).toEqual([['Ready', 'PolicyNotUsed', true]]);
    expect(verdicts([{ ip: '10.0.0.1', node: 'n1' }], makeWebService({ internalTrafficPolicy: 'Local' }))).toEqual([
      ['PolicyNotUsed', 'Ready', true],
    ]);
  });

  it('is explained by a sentence and a remedy', () => {
    const port = portOf(makeWebService(), [{ ip: '10.0.0.1', ready: false }]);
    expect(endpointVerdicts(port, node).map(({ cluster }) => cluster)).toEqual(['NotReady']);
    expect(proxyReason('NotReady')).toMatchObject({
      used: false,
      sentence: 'is not ready',
      remedy: expect.stringContaining('readiness'),
    });
  });
});

it('in all recorded cases, endpointVerdicts agrees with the endpoints that the view lists for each policy, and every code occurs', () => {
  const seen = new Set<string>();
  for (const proxyCase of readVectors<ProxyCase>('cases')) {
    for (const port of viewOf(proxyCase, 'IPv4').ports) {
      const portVerdicts = endpointVerdicts(port, nodeOf(proxyCase));
      const usedEndpoints = (policy: 'cluster' | 'local') =>
        portVerdicts.filter((each) => proxyReason(each[policy]).used).map(({ endpoint }) => endpoint);
      expect(usedEndpoints('cluster')).toEqual(port.cluster ?? []);
      expect(usedEndpoints('local')).toEqual(port.local ?? []);
      for (const { cluster, local } of portVerdicts) seen.add(cluster).add(local);
    }
  }
  // Only releases before 1.22 have this code.
  expect([...seen, 'OtherTopology'].sort()).toEqual(proxyReasons.map(({ code }) => code).sort());
});
