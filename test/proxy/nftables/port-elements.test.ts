import { expect, it } from 'vitest';
import type { ProxyService } from '../../../src/proxy/index.ts';
import { createPortNames, trafficOf } from '../../../src/proxy/nftables/names.ts';
import { portElements } from '../../../src/proxy/nftables/port-fragment.ts';
import { type At, portOf, web } from '../worlds.ts';

function elements(service: ProxyService, endpoints: readonly At[]): string[] {
  const port = portOf(service, endpoints);
  return portElements(trafficOf(port, createPortNames()(port))).map(({ container, element: { key, value = '' } }) =>
    `${container} ${key} ${value.replace(/-[A-Z2-7]{8}-.*/, '')}`.trimEnd(),
  );
}

const everywhere = { type: 'NodePort', externalIPs: ['198.51.100.1'], ports: [{ name: 'http', port: 80, nodePort: 30_080 }] };

it('portElements has an element for every address and node port', () => {
  expect(elements(web(everywhere), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto service',
    'service-ips 198.51.100.1 . tcp . 80 goto external',
    'service-nodeports tcp . 30080 goto external',
  ]);
  expect(elements(web(everywhere), [])).toEqual([
    'cluster-ips 10.96.0.1',
    'no-endpoint-services 10.96.0.1 . tcp . 80 goto reject-chain',
    'no-endpoint-services 198.51.100.1 . tcp . 80 goto reject-chain',
    'no-endpoint-nodeports tcp . 30080 goto reject-chain',
  ]);
});

it('external traffic under the policy Local has a target for in-cluster clients and is dropped otherwise', () => {
  expect(elements(web({ ...everywhere, externalTrafficPolicy: 'Local' }), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto service',
    'service-ips 198.51.100.1 . tcp . 80 goto external',
    'no-endpoint-services 198.51.100.1 . tcp . 80 drop',
    'service-nodeports tcp . 30080 goto external',
    'no-endpoint-nodeports tcp . 30080 drop',
  ]);
});

it('an external IP that equals the cluster IP is treated as an external IP', () => {
  expect(elements(web({ externalIPs: ['10.96.0.1'] }), [{ ip: '10.0.0.1' }])).toEqual([
    'cluster-ips 10.96.0.1',
    'service-ips 10.96.0.1 . tcp . 80 goto external',
  ]);
});
