import { describe, expect, it } from 'vitest';
import { createNodeView } from '../../src/proxy/index.ts';
import { makeNodeView, makeSlice, makeWebService, node, textsOf } from './fixtures.ts';

const serviceNamed = (namespace: string, name: string) => ({ ...makeWebService(), metadata: { namespace, name } });

describe('createNodeView', () => {
  it('sorts ports by namespace, name, port name and protocol', () => {
    const services = [
      serviceNamed('b', 'x'),
      serviceNamed('a-b', 'x'),
      serviceNamed('a', 'y'),
      serviceNamed('a', 'x-2'),
      serviceNamed('a', 'x'),
    ];
    expect(createNodeView({ services }, node).ports.map(({ name }) => name)).toEqual([
      'a/x:http',
      'a/x-2:http',
      'a/y:http',
      'a-b/x:http',
      'b/x:http',
    ]);
  });

  it('uses the last of two objects with the same name', () => {
    const services = [makeWebService(), makeWebService({ clusterIP: '10.96.0.2' })];
    const endpointSlices = [makeSlice([{ ip: '10.0.0.1' }]), makeSlice([{ ip: '10.0.0.2' }])];
    const { ports } = createNodeView({ services, endpointSlices }, node);
    expect(ports.map(({ clusterIP, endpoints }) => [clusterIP, textsOf(endpoints)])).toEqual([['10.96.0.2', ['10.0.0.2:8080']]]);
  });

  it('merges the slices of a Service in any order', () => {
    const first = makeSlice([{ ip: '10.0.0.1', ready: false }, { ip: '10.0.0.2' }], 'IPv4', 'web-a');
    const second = makeSlice([{ ip: '10.0.0.1' }], 'IPv4', 'web-b');
    for (const endpointSlices of [
      [first, second],
      [second, first],
    ]) {
      expect(textsOf(createNodeView({ services: [makeWebService()], endpointSlices }, node).ports[0]?.cluster)).toEqual([
        '10.0.0.1:8080',
        '10.0.0.2:8080',
      ]);
    }
  });

  it('leaves out slices of another family or without a Service', () => {
    const sliceWithoutService = { ...makeSlice([{ ip: '10.0.0.9' }]), metadata: { namespace: 'shop', name: 'x' } };
    const endpointSlices = [
      makeSlice([{ ip: 'fd00::1' }], 'IPv6', 'web-6'),
      sliceWithoutService,
      makeSlice([{ ip: '10.0.0.8' }], 'IPv4', ''),
    ];
    expect(createNodeView({ services: [makeWebService()], endpointSlices }, node).ports[0]?.endpoints).toEqual([]);
  });

  it('counts each ready pod of the node once, even if the Service is missing', () => {
    const mixedSlice = makeSlice([{ ip: '10.0.0.1', node: 'n1' }, { ip: '10.0.0.2', node: 'n1', ready: false }, { ip: '10.0.0.3' }]);
    const ports = [...(mixedSlice.ports ?? []), { name: 'metrics', port: 9090, protocol: 'TCP' }];
    expect(createNodeView({ endpointSlices: [{ ...mixedSlice, ports }] }, node)).toMatchObject({
      ports: [],
      localReady: { 'shop/web': 1 },
    });
    expect(makeNodeView(makeWebService(), [{ ip: '10.0.0.3' }]).localReady).toEqual({});
  });

  it('contains the health check node ports', () => {
    const service = makeWebService({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32_000 });
    expect(makeNodeView(service, []).healthCheckNodePorts).toEqual({ 'shop/web': 32_000 });
    expect(makeNodeView(makeWebService(), []).healthCheckNodePorts).toEqual({});
  });

  it('refuses an unknown family', () => {
    expect(createNodeView({}, node, { family: 'IPv6' })).toEqual({ family: 'IPv6', ports: [], healthCheckNodePorts: {}, localReady: {} });
    expect(() => createNodeView({}, node, { family: 'ipv4' as 'IPv4' })).toThrow(
      new RangeError('family must be "IPv4" or "IPv6", not "ipv4"'),
    );
  });
});
