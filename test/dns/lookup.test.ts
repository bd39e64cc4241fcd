import { describe, expect, it } from 'vitest';
import { queryDns, svc } from './query.ts';

describe('names in namespaces', () => {
  it('exist only if the namespace exists and is visible', () => {
    expect(queryDns(svc('web.none'))).toMatchObject({ rcode: 'NXDOMAIN', explanation: 'There is no namespace none.' });
    expect(queryDns(svc('web.shop'), { namespaces: ['back', 'front'] })).toMatchObject({
      rcode: 'NXDOMAIN',
      explanation: 'Namespace shop is not visible to DNS; only these namespaces are: back, front.',
    });
    expect(queryDns(svc('web.shop'), { namespaces: [] }).rcode).toBe('NOERROR');
  });

  it('exist without records for the namespace itself, "svc", "pod" and the zone', () => {
    for (const name of ['shop.svc', 'svc', 'pod'])
      expect(queryDns(`${name}.cluster.local.`), name).toMatchObject({ rcode: 'NOERROR', code: 'NameHasNoRecords' });
    expect(queryDns('shop.pod.cluster.local.', { pods: 'insecure' })).toMatchObject({ rcode: 'NOERROR', code: 'NameHasNoRecords' });
    expect(queryDns('shop.pod.cluster.local.')).toMatchObject({ rcode: 'NXDOMAIN', code: 'PodsDisabled' });
    expect(queryDns('cluster.local.')).toMatchObject({ rcode: 'NOERROR', code: 'NoRecordAtApex' });
  });
});

describe('names outside of the schema', () => {
  it('are rejected if they have too many labels, or no label "svc" or "pod"', () => {
    expect(queryDns(`a.b.c.${svc('web.shop')}`).explanation).toBe(
      'a.b.c.web.shop.svc.cluster.local. has 3 labels before the Service; at most two are allowed: port and protocol.',
    );
    expect(queryDns('web.shop.cluster.local.').explanation).toBe(
      'shop is neither "svc" nor "pod"; names of Services and pods have one of these labels before cluster.local.',
    );
  });
});
