import { describe, expect, it } from 'vitest';
import { createNodeView, type ProxyService } from '../../src/proxy/index.ts';
import { type At, draining, node, portOf, slice, texts, web } from './worlds.ts';

const outside = { type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };
const onlyLocal = { ...outside, externalTrafficPolicy: 'Local' };
const chosen = (spec: ProxyService['spec'], endpoints: readonly At[]) => {
  const { cluster, local, reachable, hasAny, hints } = portOf(web({ ...spec }), endpoints);
  return { cluster: texts(cluster), local: texts(local), reachable: texts(reachable), hasAny, hints };
};
const [a, b, c] = ['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080'];

describe('the policy Cluster', () => {
  it('selects all ready endpoints on any node', () => {
    expect(chosen({}, [{ ip: '10.0.0.1', node: 'n1' }, { ip: '10.0.0.2' }, { ip: '10.0.0.3', ready: false }])).toEqual({
      cluster: [a, b],
      local: undefined,
      reachable: [a, b],
      hasAny: true,
      hints: undefined,
    });
  });

  it('selects terminating endpoints that still serve if no endpoint is ready', () => {
    const gone = { ip: '10.0.0.3', ready: false, serving: false, terminating: true };
    expect(chosen({}, [{ ip: '10.0.0.1', ...draining }, { ip: '10.0.0.2', ready: false }, gone]).cluster).toEqual([a]);
    expect(chosen({}, [{ ip: '10.0.0.1', ...draining }, { ip: '10.0.0.2' }]).cluster).toEqual([b]);
  });

  it('has an empty list if no endpoint is usable, and none if there are no endpoints', () => {
    expect(chosen({}, [{ ip: '10.0.0.1', ready: false }])).toMatchObject({ cluster: [], reachable: [], hasAny: false });
    expect(chosen({}, [])).toMatchObject({ cluster: undefined, reachable: undefined, hasAny: false });
  });
});

describe('the policy Local', () => {
  it('selects ready endpoints of the node, or terminating ones if none is ready', () => {
    const local = [
      { ip: '10.0.0.1', node: 'n1', ...draining },
      { ip: '10.0.0.2', node: 'n2' },
    ];
    expect(chosen(onlyLocal, local)).toMatchObject({ cluster: [b], local: [a], reachable: [a, b] });
    expect(chosen(onlyLocal, [...local, { ip: '10.0.0.3', node: 'n1' }])).toMatchObject({ cluster: [b, c], local: [c], reachable: [b, c] });
  });

  it('has no list if the node has no usable endpoint', () => {
    expect(chosen({ internalTrafficPolicy: 'Local' }, [{ ip: '10.0.0.2' }])).toMatchObject({
      cluster: undefined,
      local: undefined,
      reachable: undefined,
      hasAny: true,
    });
    expect(chosen(onlyLocal, [{ ip: '10.0.0.1', node: 'n1', ready: false }, { ip: '10.0.0.2' }])).toMatchObject({
      local: undefined,
      reachable: [b],
    });
  });

  it('ignores hints, so that reachable endpoints may exceed either list', () => {
    const endpoints = [
      { ip: '10.0.0.1', node: 'n1', zones: ['b'] },
      { ip: '10.0.0.2', zones: ['a'] },
    ];
    expect(chosen(onlyLocal, endpoints)).toMatchObject({ cluster: [b], local: [a], reachable: [a, b], hints: 'PreferSameZone' });
  });
});

describe('hints', () => {
  it.each<[string, readonly At[], readonly string[], string | undefined]>([
    [
      'for zones are followed',
      [
        { ip: '10.0.0.1', zones: ['a'] },
        { ip: '10.0.0.2', zones: ['b'] },
      ],
      [a],
      'PreferSameZone',
    ],
    [
      'for nodes take precedence over hints for zones',
      [
        { ip: '10.0.0.1', zones: ['a'], nodes: ['n2'] },
        { ip: '10.0.0.2', zones: ['b'], nodes: ['n1'] },
      ],
      [b],
      'PreferSameNode',
    ],
    [
      'for zones are followed if no endpoint has a hint for this node',
      [
        { ip: '10.0.0.1', zones: ['a'], nodes: ['n2'] },
        { ip: '10.0.0.2', zones: ['b'], nodes: ['n3'] },
      ],
      [a],
      'PreferSameZone',
    ],
    ['are ignored if a ready endpoint has none', [{ ip: '10.0.0.1', zones: ['a'] }, { ip: '10.0.0.2' }], [a, b], undefined],
    [
      'are followed even if an endpoint that is not ready has none',
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
        { ip: '10.0.0.1', zones: ['b'], ...draining },
        { ip: '10.0.0.2', zones: ['a'], ...draining },
      ],
      [a, b],
      undefined,
    ],
  ])('%s', (_, endpoints, cluster, hints) => {
    expect(chosen({}, endpoints)).toMatchObject({ cluster, hints });
  });

  it('have no effect by zone on a node without a zone', () => {
    const objects = {
      services: [web()],
      endpointSlices: [
        slice([
          { ip: '10.0.0.1', zones: ['a'] },
          { ip: '10.0.0.2', zones: ['b'] },
        ]),
      ],
    };
    expect(texts(createNodeView(objects, { name: 'n1' }).ports[0]?.cluster)).toEqual([a, b]);
    expect(texts(createNodeView(objects, node).ports[0]?.cluster)).toEqual([a]);
  });
});
