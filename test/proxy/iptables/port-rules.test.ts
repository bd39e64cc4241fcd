import { expect, it, test } from 'vitest';
import type { ServicePortView } from '../../../src/proxy/index.ts';
import { countEndpoints, createPortRuler, isLarge } from '../../../src/proxy/iptables/port-rules.ts';
import { settingsOf } from '../../../src/proxy/iptables/settings.ts';
import { node, view, web } from './worlds.ts';

const { ports } = view(web(), [{ ip: '10.1.0.1' }, { ip: '10.1.0.2', ready: false }]);
const port = ports[0] as ServicePortView;

it('countEndpoints includes unusable endpoints', () => {
  expect(countEndpoints([port, port])).toBe(4);
  expect([isLarge(1000), isLarge(1001)]).toEqual([false, true]);
});

it('a large port has no comments for its endpoints', () => {
  const rulesOf = createPortRuler(settingsOf(node, 'IPv4'));
  const comments = (large: boolean) => rulesOf(port, large).chains.flatMap(({ rules }) => rules.map(({ comment }) => comment));
  expect(comments(false)).toEqual(['shop/web:http -> 10.1.0.1:8080', 'shop/web:http', 'shop/web:http']);
  expect(comments(true)).toEqual([undefined, undefined, undefined]);
});

test.each<[Partial<ServicePortView>, string]>([
  [{ portName: 'a b', name: 'shop/web:a b' }, 'spec.ports[].name is "a b"'],
  [{ clusterIP: 'nowhere' }, 'spec.clusterIPs[] is "nowhere"'],
  [{ port: 70_000 }, 'spec.ports[].port is 70000'],
])('createPortRuler refuses %j', (more, message) => {
  expect(() => createPortRuler(settingsOf(node, 'IPv4'))({ ...port, ...more }, false)).toThrow(message);
});
