import { describe, expect, it } from 'vitest';
import { createNodeView, type ProxyService } from '../../src/proxy/index.ts';
import { drainingConditions, type EndpointSpec, makeSlice, makeWebService, node, portOf, textsOf } from './fixtures.ts';

const nodePortSpec = { type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };
const externalLocalSpec = { ...nodePortSpec, externalTrafficPolicy: 'Local' };
const categorize = (spec: ProxyService['spec'], endpoints: readonly EndpointSpec[]) => {
  const { cluster, local, reachable, hasAny, hints } = portOf(makeWebService({ ...spec }), endpoints);
  return { cluster: textsOf(cluster), local: textsOf(local), reachable: textsOf(reachable), hasAny, hints };
};
const [a, b, c] = ['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080'];

describe('the policy Cluster', () => {
  it('selects all ready endpoints on any node', () => {
    expect(categorize({}, [{ ip: '10.0.0.1', node: 'n1' }, { ip: '10.0.0.2' }, { ip: '10.0.0.3', ready: false }])).toEqual({
      cluster: [a, b],
      local: undefined,
      reachable: [a, b],
      hasAny: true,
      hints: undefined,
    });
  });

  it('selects terminating endpoints that serve if no endpoint is ready', () => {
    const terminatedEndpoint = { ip: '10.0.0.3', ready: false, serving: false, terminating: true };
    expect(
      categorize({}, [{ ip: '10.0.0.1', ...drainingConditions }, { ip: '10.0.0.2', ready: false }, terminatedEndpoint]).cluster,
    ).toEqual([a]);
    expect(categorize({}, [{ ip: '10.0.0.1', ...drainingConditions }, { ip: '10.0.0.2' }]).cluster).toEqual([b]);
  });

  it('selects an empty list if no endpoint is usable, and returns undefined if there are no endpoints', () => {
    expect(categorize({}, [{ ip: '10.0.0.1', ready: false }])).toMatchObject({ cluster: [], reachable: [], hasAny: false });
    expect(categorize({}, [])).toMatchObject({ cluster: undefined, reachable: undefined, hasAny: false });
  });
});

describe('the policy Local', () => {
  it('selects ready endpoints of the node, or terminating ones if none is ready', () => {
    const local = [
      { ip: '10.0.0.1', node: 'n1', ...drainingConditions },
      { ip: '10.0.0.2', node: 'n2' },
    ];
    expect(categorize(externalLocalSpec, local)).toMatchObject({ cluster: [b], local: [a], reachable: [a, b] });
    expect(categorize(externalLocalSpec, [...local, { ip: '10.0.0.3', node: 'n1' }])).toMatchObject({
      cluster: [b, c],
      local: [c],
      reachable: [b, c],
    });
  });

  it('returns undefined if the node has no usable endpoint', () => {
    expect(categorize({ internalTrafficPolicy: 'Local' }, [{ ip: '10.0.0.2' }])).toMatchObject({
      cluster: undefined,
      local: undefined,
      reachable: undefined,
      hasAny: true,
    });
    expect(categorize(externalLocalSpec, [{ ip: '10.0.0.1', node: 'n1', ready: false }, { ip: '10.0.0.2' }])).toMatchObject({
      local: undefined,
      reachable: [b],
    });
  });

  it('ignores hints, so that more endpoints can be reachable than either list contains', () => {
    const endpoints = [
      { ip: '10.0.0.1', node: 'n1', zones: ['b'] },
      { ip: '10.0.0.2', zones: ['a'] },
    ];
    expect(categorize(externalLocalSpec, endpoints)).toMatchObject({
      cluster: [b],
      local: [a],
      reachable: [a, b],
      hints: 'PreferSameZone',
    });
  });
});

describe('hints', () => {
  it.each<[string, readonly EndpointSpec[], readonly string[], string | undefined]>([
    [
      'apply by zone',
      [
        { ip: '10.0.0.1', zones: ['a'] },
        { ip: '10.0.0.2', zones: ['b'] },
      ],
      [a],
      'PreferSameZone',
    ],
    [
      'apply by node before they apply by zone',
      [
        { ip: '10.0.0.1', zones: ['a'], nodes: ['n2'] },
        { ip: '10.0.0.2', zones: ['b'], nodes: ['n1'] },
      ],
      [b],
      'PreferSameNode',
    ],
    [
      'apply by zone if no endpoint has a hint for this node',
      [
        { ip: '10.0.0.1', zones: ['a'], nodes: ['n2'] },
        { ip: '10.0.0.2', zones: ['b'], nodes: ['n3'] },
      ],
      [a],
      'PreferSameZone',
    ],
    ['are ignored if a ready endpoint has none', [{ ip: '10.0.0.1', zones: ['a'] }, { ip: '10.0.0.2' }], [a, b], undefined],
    [
      'apply even if an endpoint that is not ready has none',
      [
        { ip: '10.0.0.1', zones: ['a'] },
        { ip: '10.0.0.2', ready: false },
      ],
      [a],
      'PreferSameZone',
    ],
    [
      'are ignored if none names the zone of the node',
      [
        { ip: '10.0.0.1', zones: ['b'] },
        { ip: '10.0.0.2', zones: ['c'] },
      ],
      [a, b],
      undefined,
    ],
    [
      'are ignored if no endpoint is ready',
      [
        { ip: '10.0.0.1', zones: ['b'], ...drainingConditions },
        { ip: '10.0.0.2', zones: ['a'], ...drainingConditions },
      ],
      [a, b],
      undefined,
    ],
  ])('%s', (_, endpoints, cluster, hints) => {
    expect(categorize({}, endpoints)).toMatchObject({ cluster, hints });
  });

  it('do not apply by zone on a node without a zone', () => {
    const objects = {
      services: [makeWebService()],
      endpointSlices: [
        makeSlice([
          { ip: '10.0.0.1', zones: ['a'] },
          { ip: '10.0.0.2', zones: ['b'] },
        ]),
      ],
    };
    expect(textsOf(createNodeView(objects, { name: 'n1' }).ports[0]?.cluster)).toEqual([a, b]);
    expect(textsOf(createNodeView(objects, node).ports[0]?.cluster)).toEqual([a]);
  });
});
