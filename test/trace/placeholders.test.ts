import { expect, test } from 'vitest';
import { makeCluster, makePod, makeService, runTrace } from './shop.ts';

const pods = [makePod('web-1', 1), makePod('web-2', 11)];
const standIns = new Set(['shop/web']);

test('a trace describes the placeholder of a cluster IP, and keeps other addresses', () => {
  const service = makeService('web', { clusterIP: '192.0.2.1', clusterIPs: ['192.0.2.1', '2001:db8::1'] });
  const text = JSON.stringify(runTrace('web', { ...makeCluster([service], pods), standIns }));
  expect(text).not.toContain('192.0.2.1');
  expect(text).toContain('web.shop.svc.cluster.local. 5 IN A <cluster IP of shop/web>');
  expect(text).toContain('10.1.0.11:8080');
});

test('a trace describes the placeholders of pods with their ports, and in names of endpoints', () => {
  const service = makeService('web', { clusterIP: 'None', clusterIPs: ['None'] });
  const text = JSON.stringify(runTrace('web', { ...makeCluster([service], pods), templatePods: new Set(['shop/web-1']) }));
  expect(text).not.toMatch(/10[.-]1[.-]0[.-]1(?!\d)/);
  expect(text).toContain('web-1 <IP of web-1>');
  expect(text).toContain('web-2 10.1.0.11');
});
