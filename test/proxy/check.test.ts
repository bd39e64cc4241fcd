import { expect, it } from 'vitest';
import { checkPort } from '../../src/proxy/check.ts';
import type { EndpointView, ServicePortView } from '../../src/proxy/index.ts';
import { makeWebService, portOf } from './fixtures.ts';

const port = portOf(makeWebService(), [{ ip: '10.0.0.1' }]);
const endpoint = port.endpoints[0] as EndpointView;
const createPortCheck = (more: Partial<ServicePortView>) => () => checkPort({ ...port, ...more });

it('checkPort accepts the values that an API server accepts', () => {
  expect(createPortCheck({})).not.toThrow();
  expect(createPortCheck({ portName: '', nodePort: 0, clusterIP: 'fd00::1', protocol: 'SCTP' })).not.toThrow();
});

it.each<[Partial<ServicePortView>, string]>([
  [{ namespace: 'shop; flush ruleset' }, 'metadata.namespace is "shop; flush ruleset", but has to be letters, digits, "-", "_" and "."'],
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
  expect(createPortCheck(more)).toThrow(RangeError);
  expect(createPortCheck(more)).toThrow(`Service "shop/web:http": ${message}`);
});

it('checkPort refuses an invalid endpoint if it is reachable', () => {
  const invalidEndpoint = { ...endpoint, ip: '<nil>', text: '<nil>:8080' };
  expect(createPortCheck({ endpoints: [invalidEndpoint] })).not.toThrow();
  expect(createPortCheck({ reachable: [invalidEndpoint] })).toThrow(
    'EndpointSlice of Service "shop/web:http": endpoints[].addresses[0] of "<nil>:8080" has to be an IP address',
  );
  expect(createPortCheck({ reachable: [{ ...endpoint, port: 70_000 }] })).toThrow(
    'ports[].port of "10.0.0.1:8080" has to be a number from 1 to 65535',
  );
});
