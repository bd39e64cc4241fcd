import type { ProxyService } from 'kube-endpoints/proxy';
import { describe, expect, it } from 'vitest';
import { type EndpointSpec, makeSlice, makeWebService, node } from '../../../../test/proxy/iptables/fixtures.ts';
import type { Scope } from '../../src/input/scope.ts';
import { viewProxy } from '../../src/report/proxy-view.ts';

const plainStyle = { paint: (text: string) => text, width: undefined, wide: false };
const viewOf = (service: ProxyService, endpoints: readonly EndpointSpec[], style = plainStyle) => {
  const scope = { services: [service] } as unknown as Scope;
  const report = viewProxy(
    { objects: { services: [service], endpointSlices: [makeSlice(endpoints)] }, node, version: '1.36' },
    scope,
    'IPv4',
  );
  return {
    found: report.hasFindings,
    text: report.text(style),
    data: report.data() as { ports: { problem?: string; endpoints: object[] }[] },
  };
};
const nodePort = { type: 'NodePort', ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }] } as const;

describe('the view of a port', () => {
  it('shows the endpoints with traffic, and why others get none', () => {
    const { found, text } = viewOf(makeWebService(), [{ ip: '10.1.0.1' }, { ip: '10.1.0.2', ready: false }]);
    expect(found).toBe(false);
    expect(text).toEqual([
      'SERVICE shop/web:http  10.96.0.1:80/TCP',
      '  internal traffic Cluster',
      '  ENDPOINT        TARGET   NODE   CLUSTER   WHY',
      '  10.1.0.1:8080   <none>   n2     yes       Ready: is ready',
      '  10.1.0.2:8080   <none>   n2     no        NotReady: is not ready',
      '',
      '1 port on node n1, IPv4, kube-proxy 1.36: all forward traffic.',
    ]);
  });

  it('shows with -o wide how an endpoint would get traffic', () => {
    expect(viewOf(makeWebService(), [{ ip: '10.1.0.2', ready: false }], { ...plainStyle, wide: true }).text.join('\n')).toContain(
      '(to change that: ',
    );
  });

  it('shows the traffic settings of the Service', () => {
    const service = makeWebService(
      {
        type: 'LoadBalancer',
        externalIPs: ['198.51.100.7'],
        loadBalancerSourceRanges: ['203.0.113.0/24'],
        sessionAffinity: 'ClientIP',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 32000,
        ports: nodePort.ports,
      },
      { loadBalancer: { ingress: [{ ip: '203.0.113.9' }] } },
    );
    expect(viewOf(service, [{ ip: '10.1.0.1', node: 'n1' }]).text.slice(0, 2)).toEqual([
      'SERVICE shop/web:http  10.96.0.1:80/TCP, 198.51.100.7:80/TCP, 203.0.113.9:80/TCP, node port 30080/TCP',
      '  internal traffic Cluster; external traffic Local; session affinity for 10800 s; load balancer only for 203.0.113.0/24; health check node port 32000',
    ]);
  });
});

describe('a port without usable endpoints', () => {
  it('is reported if no node has an endpoint', () => {
    const { found, text, data } = viewOf(makeWebService(), [{ ip: '10.1.0.1', ready: false }]);
    expect(found).toBe(true);
    expect(text[2]).toBe('  ! all traffic is rejected: no node has a usable endpoint');
    expect(data.ports[0]?.problem).toContain('rejected');
  });

  it('is reported if policy Local applies on a node without endpoints', () => {
    const endpointsOnOtherNode: readonly EndpointSpec[] = [{ ip: '10.1.0.1' }];
    const problem = (spec: NonNullable<ProxyService['spec']>) => viewOf(makeWebService(spec), endpointsOnOtherNode).data.ports[0]?.problem;
    expect(problem({ internalTrafficPolicy: 'Local' })).toMatch(/^traffic to the cluster IP is dropped/);
    expect(problem({ ...nodePort, externalTrafficPolicy: 'Local' })).toMatch(/^traffic from outside is dropped/);
    expect(problem({ ...nodePort, externalTrafficPolicy: 'Local', internalTrafficPolicy: 'Local' })).toMatch(
      /^traffic to the cluster IP and traffic from outside is dropped/,
    );
    expect(problem({ ...nodePort, externalTrafficPolicy: 'Cluster' })).toBeUndefined();
  });
});

it('lists Services without proxy rules', () => {
  const { found, text, data } = viewOf(makeWebService({ clusterIP: 'None' }), []);
  expect(found).toBe(false);
  expect(text).toEqual([
    'No cluster IP of IPv4, so no rules: shop/web',
    '',
    '0 ports on node n1, IPv4, kube-proxy 1.36: nothing to serve.',
  ]);
  expect(data).toMatchObject({ ports: [], withoutRules: ['shop/web'] });
});

it('escapes control characters in names from the input', () => {
  const text = viewOf(makeWebService({ ports: [{ name: 'a\u001b[31m', port: 80, protocol: 'TCP' }] }), []).text.join('\n');
  expect(text).not.toContain('\u001b');
});
