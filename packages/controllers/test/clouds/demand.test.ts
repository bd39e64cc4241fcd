import { CloudError } from 'kube-endpoints/load-balancer';
import { describe, expect, it } from 'vitest';
import { formatPort, parseDemand, referenceOf } from '../../src/clouds/demand.ts';
import { makeService } from './objects.ts';

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const createAnnotatedService = (text: string) => {
  const service = makeService();
  return { ...service, metadata: { ...service.metadata, annotations: { [rangesAnnotation]: text } } };
};

describe('parseDemand', () => {
  it('reads the spec of a Service', () => {
    expect(parseDemand(makeService())).toEqual({
      reference: { namespace: 'shop', name: 'web', uid: 'uid-web' },
      ports: [{ port: 18_480, protocol: 'TCP', nodePort: 30_080, path: 'spec.ports[0]' }],
      address: undefined,
      previousAddress: undefined,
      sourceRanges: [],
      affinityMs: undefined,
      healthPort: undefined,
    });
  });

  it('distinguishes ports by protocol', () => {
    const ports = [
      { port: 53, protocol: 'UDP', nodePort: 30_053 },
      { port: 53, nodePort: 30_053 },
    ];
    expect(parseDemand(makeService('dns', { ports })).ports.map(formatPort)).toEqual(['53/UDP', '53/TCP']);
  });

  it.each([
    [{ sessionAffinity: 'None' }, undefined],
    [{ sessionAffinity: 'ClientIP' }, 10_800_000],
    [{ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }, 5000],
    [{ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }, undefined],
  ])('reads the session affinity of %j', (spec, affinityMs) => {
    expect(parseDemand(makeService('web', spec)).affinityMs).toBe(affinityMs);
  });

  it.each([
    [{ externalTrafficPolicy: 'Local', healthCheckNodePort: 31_000 }, 31_000],
    [{ externalTrafficPolicy: 'Cluster', healthCheckNodePort: 31_000 }, undefined],
    [{ externalTrafficPolicy: 'Local', healthCheckNodePort: 0 }, undefined],
  ])('reads the health check port only with externalTrafficPolicy Local: %j', (spec, healthPort) => {
    expect(parseDemand(makeService('web', spec)).healthPort).toBe(healthPort);
  });

  it('reads source ranges from the spec, else from the annotation', () => {
    const { spec } = makeService('web', { loadBalancerSourceRanges: ['10.1.2.3/8', ' 2001:db8::/32 '] });
    expect(parseDemand(makeService('web', { ...spec })).sourceRanges).toEqual(['10.0.0.0/8', '2001:db8::/32']);
    expect(parseDemand(createAnnotatedService(' 10.0.0.0/8 , 192.168.0.0/16')).sourceRanges).toEqual(['10.0.0.0/8', '192.168.0.0/16']);
    expect(parseDemand({ ...createAnnotatedService('10.0.0.0/8'), spec: { ...spec } }).sourceRanges).toEqual([
      '10.0.0.0/8',
      '2001:db8::/32',
    ]);
    expect(parseDemand(createAnnotatedService('  ')).sourceRanges).toEqual([]);
    expect(() => parseDemand(createAnnotatedService('all'))).toThrow(
      `Service shop/web: the annotation ${rangesAnnotation} "all" is not a CIDR`,
    );
  });

  it('returns canonical addresses', () => {
    const service = {
      ...makeService('web', { loadBalancerIP: '127.0.0.09' }),
      status: { loadBalancer: { ingress: [{ ip: '127.0.0.7' }] } },
    };
    expect(parseDemand(service)).toMatchObject({ address: '127.0.0.9', previousAddress: '127.0.0.7' });
  });
});

it.each([{}, { namespace: 'shop' }, { namespace: 'shop', name: 'web' }, { name: 'web', uid: 'u' }])(
  'referenceOf throws without namespace, name and UID: %j',
  (metadata) => {
    expect(() => referenceOf({ metadata })).toThrow(CloudError);
  },
);
