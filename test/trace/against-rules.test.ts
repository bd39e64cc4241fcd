import { expect, it } from 'vitest';
import { createNodeView, type ProxyNode } from '../../src/proxy/index.ts';
import type { TraceNode } from '../../src/trace/index.ts';
import { fc } from '../support/property.ts';
import { sentTo } from './packets.ts';
import { ask, crashing, makeCluster, makePod, makeService, stepOf } from './shop.ts';

const nodes: readonly TraceNode[] = [1, 2].map((number) => ({
  metadata: { name: `n${number}` },
  status: { addresses: [{ type: 'InternalIP', address: `192.168.0.${number}` }] },
}));
const rulesOf = (number: number): ProxyNode => ({
  name: `n${number}`,
  addresses: [`192.168.0.${number}`],
  podCIDRs: [`10.1.${number}.0/24`],
  nodePortAddresses: ['primary'],
});
const podOn = (name: string, node: number, ip: string, more: object = {}) =>
  makePod(name, 1, { spec: { nodeName: `n${node}` }, status: { podIP: ip, podIPs: [{ ip }], ...more } });

const policy = fc.constantFrom('Cluster', 'Local');
const ranges = fc.constantFrom<readonly string[]>(
  [],
  ['192.0.2.0/24'],
  ['10.1.1.0/24', 'fd00::/8'],
  ['192.168.0.2/32'],
  ['192.0.2.0/24', '0.0.0.0/0'],
);
const world = fc.record({
  internalTrafficPolicy: policy,
  externalTrafficPolicy: policy,
  loadBalancerSourceRanges: ranges,
  ipMode: fc.constantFrom(undefined, 'VIP', 'Proxy'),
  /** Whether the load balancer's address is an external IP, too. */
  isBoth: fc.boolean(),
  pods: fc.array(fc.record({ node: fc.constantFrom(1, 2), isReady: fc.boolean() }), { maxLength: 3 }),
  from: fc.record({ node: fc.constantFrom(1, 2), isOfHost: fc.boolean() }),
  target: fc.constantFrom('10.96.0.10:80', '198.51.100.7:80', '203.0.113.9:80', '192.168.0.1:30080', '192.168.0.2:30080'),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function objectsOf({ ipMode, isBoth, pods, from, target: _, ...spec }: World) {
  const service = makeService(
    'web',
    {
      ...spec,
      type: 'LoadBalancer',
      externalIPs: ['198.51.100.7', ...(isBoth ? ['203.0.113.9'] : [])],
      ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }],
    },
    { status: { loadBalancer: { ingress: [{ ip: '203.0.113.9', ...(ipMode !== undefined && { ipMode }) }] } } },
  );
  const backends = pods.map(({ node, isReady }, at) =>
    podOn(`web-${at + 1}`, node, `10.1.${node}.${at + 1}`, isReady ? {} : (crashing ?? {})),
  );
  const client = podOn('client-9', from.node, from.isOfHost ? `192.168.0.${from.node}` : `10.1.${from.node}.99`);
  return makeCluster([service], [...backends, client], { nodes });
}

it('a trace leads from a pod to where the rules of the node send its packet', () => {
  fc.assert(
    fc.property(world, (given) => {
      const objects = objectsOf(given);
      const [to = '', port = ''] = given.target.split(':');
      // at a node port it is the rules of the node that has the address
      const number = to.startsWith('192.168.') ? Number(to.at(-1)) : given.from.node;
      const view = createNodeView({ services: objects.services, endpointSlices: objects.slices ?? [] }, { name: `n${number}` });
      const from = objects.pods.at(-1)?.status?.podIP ?? '';
      const sent = sentTo(view, rulesOf(number), { from, to, port: Number(port) });
      const trace = ask(given.target, objects, { from: 'client-9' });
      const reached = stepOf(trace, 'endpoints').chosen.map(({ label }) => label.split(' ')[1]);
      const led = trace.outcome === 'outside' ? undefined : trace.outcome === 'unreachable' ? [] : reached;
      expect(led?.toSorted()).toEqual(sent?.toSorted());
    }),
    { numRuns: 500 },
  );
});
