import { expect, it } from 'vitest';
import { checkPort } from '../../src/proxy/check.ts';
import type { EndpointView, ServicePortView } from '../../src/proxy/index.ts';
import { portOf, web } from './fixtures.ts';

const port = portOf(web(), [{ ip: '10.0.0.1' }]);
const endpoint = port.endpoints[0] as EndpointView;
const check = (more: Partial<ServicePortView>) => () => checkPort({ ...port, ...more });

it('checkPort accepts the values that an API server accepts', () => {
  expect(check({})).not.toThrow();
  expect(check({ portName: '', nodePort: 0, clusterIP: 'fd00::1', protocol: 'SCTP' })).not.toThrow();
});

it.each<[Partial<ServicePortView>, string]>([
  [{ namespace: 'shop; flush ruleset' }, 'metadata.namespace is "shop; flush ruleset", but has to be letters, digits, "-" and "."'],
  [{ service: '' }, 'metadata.name is "", but has to be'],
  [{ service: 'a/b' }, 'metadata.name is "a/b", but has to be'],
  [{ portName: 'a"b' }, 'spec.ports[].name is "a\\"b", but has to be'],
  [{ protocol: 'ICMP' as 'TCP' }, 'spec.ports[].protocol is "ICMP", but has to be TCP, UDP or SCTP'],
  [{ port: '80; drop' as unknown as number }, 'spec.ports[].port is "80; drop", but has to be a number from 1 to 65535'],
  [{ port: 0 }, 'spec.ports[].port is 0, but has to be'],
  [{ nodePort: 1.5 }, 'spec.ports[].nodePort is 1.5, but has to be'],
  [{ clusterIP: '<nil>' }, 'spec.clusterIPs[] is "<nil>", but has to be an IP address'],
  [{ stickyMaxAgeSeconds: -1 }, 'spec.sessionAffinityConfig.clientIP.timeoutSeconds is -1, but has to be a number of seconds'],
])('checkPort refuses %j', (more, message) => {
  expect(check(more)).toThrow(RangeError);
  expect(check(more)).toThrow(`Service "shop/web:http": ${message}`);
});

it('checkPort refuses an invalid endpoint if it is reachable', () => {
  const invalidEndpoint = { ...endpoint, ip: '<nil>', text: '<nil>:8080' };
  expect(check({ endpoints: [invalidEndpoint] })).not.toThrow();
  expect(check({ reachable: [invalidEndpoint] })).toThrow(
    'EndpointSlice of Service "shop/web:http": endpoints[].addresses[0] of "<nil>:8080" has to be an IP address',
  );
  expect(check({ reachable: [{ ...endpoint, port: 70_000 }] })).toThrow(
    'ports[].port of "10.0.0.1:8080" has to be a number from 1 to 65535',
  );
});
