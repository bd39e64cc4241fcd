import { expect, it } from 'vitest';
import {
  applyDraft,
  createDraft,
  getsNodePorts,
  isFamily,
  isHeadless,
  isSameList,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
} from '../../../src/allocators/service/draft.ts';
import { freezeDeeply } from '../../property/check.ts';
import { draft, service } from '../support.ts';

it("createDraft reads absent fields as Go's zero values, with defaults for type and protocol", () => {
  expect(createDraft({})).toMatchObject({ name: '', type: 'ClusterIP', clusterIP: '', clusterIPs: [], ports: [], healthCheckNodePort: 0 });
  expect(draft({ ports: [{ port: 80 }] }).ports).toEqual([{ name: '', port: 80, protocol: 'TCP', nodePort: 0 }]);
});

it('applyDraft writes the allocated values to a copy that shares the other fields', () => {
  const original = freezeDeeply(
    service({
      clusterIP: '10.0.0.1',
      clusterIPs: null,
      ports: [{ port: 80, nodePort: 1 }, { port: 81 }],
      ipFamilyPolicy: 'SingleStack',
    }),
  );
  const changedDraft = createDraft(original);
  Object.assign(changedDraft, { clusterIP: '', clusterIPs: ['10.0.0.2'] });
  Object.assign(changedDraft.ports[0] ?? {}, { nodePort: 0 });
  Object.assign(changedDraft.ports[1] ?? {}, { nodePort: 2 });
  const writtenService = applyDraft(original, changedDraft, true);
  expect(writtenService).toStrictEqual({
    metadata: { name: 'web', namespace: 'shop' },
    spec: { clusterIPs: ['10.0.0.2'], ports: [{ port: 80 }, { port: 81, nodePort: 2 }], ipFamilyPolicy: 'SingleStack' },
  });
  expect(writtenService.metadata).toBe(original.metadata);
  expect(Object.isFrozen(writtenService.spec)).toBe(false);
});

it('applyDraft copies class instances instead of changing them', () => {
  class V1ServicePort {
    port = 80;
    nodePort = 1;
  }
  const original = service({ ports: [new V1ServicePort()] });
  const writtenService = applyDraft(original, { ...createDraft(original), ports: [{ nodePort: 2 }] }, true);
  expect([original.spec?.ports?.[0]?.nodePort, writtenService.spec?.ports?.[0]?.nodePort]).toStrictEqual([1, 2]);
  expect(writtenService.metadata).not.toBe(original.metadata);
});

it('applyDraft keeps empty fields as sent, and clears the status on request', () => {
  const original = { spec: { clusterIP: '', clusterIPs: null, ipFamilies: [] }, status: { loadBalancer: { ingress: [] } } };
  expect(applyDraft(original, createDraft(original), true)).toBe(original);
  expect(applyDraft(original, createDraft(original), false).status).toStrictEqual({ loadBalancer: {} });
});

it.each([
  ['ExternalName', [false, false, false]],
  ['ClusterIP', [true, false, false]],
  ['NodePort', [true, true, true]],
  ['LoadBalancer', [true, true, true]],
])('needsClusterIP, mayHaveNodePorts and getsNodePorts are correct for the type %s', (type, expected) => {
  const typedDraft = draft({ type });
  expect([needsClusterIP(typedDraft), mayHaveNodePorts(typedDraft), getsNodePorts(typedDraft)]).toEqual(expected);
});

it('the predicates of a draft depend on its type, policies, addresses and families', () => {
  expect(getsNodePorts(draft({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }))).toBe(false);
  expect(getsNodePorts(draft({ type: 'NodePort', allocateLoadBalancerNodePorts: false }))).toBe(true);
  expect(['LoadBalancer', 'NodePort'].map((type) => needsHealthCheck(draft({ type, externalTrafficPolicy: 'Local' })))).toEqual([
    true,
    false,
  ]);
  expect([['None'], ['10.0.0.1'], ['None', 'None'], []].map((clusterIPs) => isHeadless(draft({ clusterIPs })))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(nodePortsOf(draft({ ports: [{ nodePort: 3 }, {}, { nodePort: 3 }] }))).toEqual([3, 3]);
  expect([isSameList([], []), isSameList(['a'], ['a']), isSameList(['a'], ['b']), isSameList(['a'], [])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([isFamily('IPv4'), isFamily('IPv6'), isFamily('IPv5')]).toEqual([true, true, false]);
});
