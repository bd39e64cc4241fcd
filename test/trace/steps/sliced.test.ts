import { expect, it } from 'vitest';
import { explainService } from '../../../src/explain/index.ts';
import { codesOf, crashingStatus, makeCluster, makePod, makeService, runTrace, stepOf } from '../shop.ts';

/** More pods than one Endpoints object holds: 1,001 are ready, 2 are not. */
const pods = Array.from({ length: 1003 }, (_, index) => {
  const ip = `10.1.${index >> 8}.${index & 255}`;
  return makePod(`web-${index}`, index, { status: { podIP: ip, podIPs: [{ ip }], ...(index < 2 && crashingStatus) } });
});
const objects = makeCluster([makeService('web')], pods);

it('a trace uses slices for pods beyond the capacity of Endpoints', () => {
  const trace = runTrace('10.96.0.10:http', objects);
  expect(trace.verdict).toContain('reaches 1001 endpoints');
  expect(trace.verdict).not.toContain('1000');
  expect(codesOf(trace, 'service')).not.toContain('OverCapacityTruncated');
  expect(stepOf(trace, 'readiness')).toMatchObject({
    outcome: 'warning',
    notes: [{ code: 'SomeNotReady', message: 'Pods that are not ready: 2 of 1003.' }],
  });
  expect(stepOf(trace, 'pod').leftOut.map(({ id }) => id)).toEqual(['pod/shop/web-0', 'pod/shop/web-1']);
});

it('a trace does not report EndpointsRefused, because nodes read slices only', () => {
  const specWithPort = (containerPort: number) => ({
    nodeName: 'n1',
    containers: [{ name: 'app', ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }],
  });
  const podsWithPort = pods.map((pod, index) => ({ ...pod, spec: specWithPort(index === 0 ? 9090 : 8080) }));
  const service = makeService('web', { ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }] });
  const cluster = makeCluster([service], podsWithPort);
  expect(explainService(service, cluster.pods).problems.map(({ code }) => code)).toContain('EndpointsRefused');
  expect(codesOf(runTrace('10.96.0.10:http', cluster), 'service')).not.toContain('EndpointsRefused');
});
