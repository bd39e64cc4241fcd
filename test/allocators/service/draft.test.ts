import { expect, it } from 'vitest';
import {
  draftOf,
  getsNodePorts,
  isFamily,
  isHeadless,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  sameList,
  withDraft,
} from '../../../src/allocators/service/draft.ts';
import { freezeDeeply } from '../../property/check.ts';
import { draft, service } from '../support.ts';

it("draftOf reads absent fields as Go's zero values, with defaults for type and protocol", () => {
  expect(draftOf({})).toMatchObject({ name: '', type: 'ClusterIP', clusterIP: '', clusterIPs: [], ports: [], healthCheckNodePort: 0 });
  expect(draft({ ports: [{ port: 80 }] }).ports).toEqual([{ name: '', port: 80, protocol: 'TCP', nodePort: 0 }]);
});

it('withDraft writes the allocated values to a copy that shares the other fields', () => {
  const given = freezeDeeply(
    service({
      clusterIP: '10.0.0.1',
      clusterIPs: null,
      ports: [{ port: 80, nodePort: 1 }, { port: 81 }],
      ipFamilyPolicy: 'SingleStack',
    }),
  );
  const changed = draftOf(given);
  Object.assign(changed, { clusterIP: '', clusterIPs: ['10.0.0.2'] });
  Object.assign(changed.ports[0] ?? {}, { nodePort: 0 });
  Object.assign(changed.ports[1] ?? {}, { nodePort: 2 });
  const written = withDraft(given, changed, true);
  expect(written).toStrictEqual({
    metadata: { name: 'web', namespace: 'shop' },
    spec: { clusterIPs: ['10.0.0.2'], ports: [{ port: 80 }, { port: 81, nodePort: 2 }], ipFamilyPolicy: 'SingleStack' },
  });
  expect(written.metadata).toBe(given.metadata);
  expect(Object.isFrozen(written.spec)).toBe(false);
});

it('withDraft copies class instances instead of changing them', () => {
  class V1ServicePort {
    port = 80;
    nodePort = 1;
  }
  const given = service({ ports: [new V1ServicePort()] });
  const written = withDraft(given, { ...draftOf(given), ports: [{ nodePort: 2 }] }, true);
  expect([given.spec?.ports?.[0]?.nodePort, written.spec?.ports?.[0]?.nodePort]).toStrictEqual([1, 2]);
  expect(written.metadata).not.toBe(given.metadata);
});

it('withDraft keeps empty fields as sent, and clears the status on request', () => {
  const given = { spec: { clusterIP: '', clusterIPs: null, ipFamilies: [] }, status: { loadBalancer: { ingress: [] } } };
  expect(withDraft(given, draftOf(given), true)).toBe(given);
  expect(withDraft(given, draftOf(given), false).status).toStrictEqual({ loadBalancer: {} });
});

it.each([
  ['ExternalName', [false, false, false]],
  ['ClusterIP', [true, false, false]],
  ['NodePort', [true, true, true]],
  ['LoadBalancer', [true, true, true]],
])('predicates of the type %s', (type, answers) => {
  const each = draft({ type });
  expect([needsClusterIP(each), mayHaveNodePorts(each), getsNodePorts(each)]).toEqual(answers);
});

it('predicates of the other fields', () => {
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
  expect([sameList([], []), sameList(['a'], ['a']), sameList(['a'], ['b']), sameList(['a'], [])]).toEqual([true, true, false, false]);
  expect([isFamily('IPv4'), isFamily('IPv6'), isFamily('IPv5')]).toEqual([true, true, false]);
});
