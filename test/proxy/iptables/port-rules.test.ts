import { expect, it, test } from 'vitest';
import type { ServicePortView } from '../../../src/proxy/index.ts';
import { countEndpoints, isLargeCluster } from '../../../src/proxy/iptables/port-rules.ts';
import { createPortRulesFactory } from '../../../src/proxy/iptables/rules.ts';
import { readSettings } from '../../../src/proxy/iptables/settings.ts';
import { makeNodeView, makeWebService, node } from './fixtures.ts';

const { ports } = makeNodeView(makeWebService(), [{ ip: '10.1.0.1' }, { ip: '10.1.0.2', ready: false }]);
const port = ports[0] as ServicePortView;

it('countEndpoints includes unusable endpoints', () => {
  expect(countEndpoints([port, port])).toBe(4);
  expect([isLargeCluster(1000), isLargeCluster(1001)]).toEqual([false, true]);
});

it('in a large cluster, rules of endpoints have no comments', () => {
  const rulesOf = createPortRulesFactory(readSettings(node, 'IPv4'));
  const comments = (large: boolean) => rulesOf(port, large).chains.flatMap(({ rules }) => rules.map(({ comment }) => comment));
  expect(comments(false)).toEqual(['shop/web:http -> 10.1.0.1:8080', 'shop/web:http', 'shop/web:http']);
  expect(comments(true)).toEqual([undefined, undefined, undefined]);
});

test.each<[Partial<ServicePortView>, string]>([
  [{ portName: 'a b', name: 'shop/web:a b' }, 'spec.ports[].name is "a b"'],
  [{ clusterIP: 'invalid' }, 'spec.clusterIPs[] is "invalid"'],
  [{ port: 70_000 }, 'spec.ports[].port is 70000'],
])('createPortRulesFactory refuses %j', (more, message) => {
  expect(() => createPortRulesFactory(readSettings(node, 'IPv4'))({ ...port, ...more }, false)).toThrow(message);
});
