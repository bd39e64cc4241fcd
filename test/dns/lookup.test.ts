import { describe, expect, it } from 'vitest';
import { ask, svc } from './ask.ts';

describe('namespaces', () => {
  it('have to exist and be visible', () => {
    expect(ask(svc('web.none'))).toMatchObject({ rcode: 'NXDOMAIN', why: 'There is no namespace none.' });
    expect(ask(svc('web.shop'), { namespaces: ['back', 'front'] })).toMatchObject({
      rcode: 'NXDOMAIN',
      why: 'Namespace shop is not visible to DNS; only these namespaces are: back, front.',
    });
    expect(ask(svc('web.shop'), { namespaces: [] }).rcode).toBe('NOERROR');
  });

  it('exist without records, as do "svc", "pod" and the zone', () => {
    for (const name of ['shop.svc', 'svc', 'pod'])
      expect(ask(`${name}.cluster.local.`), name).toMatchObject({ rcode: 'NOERROR', code: 'NameHoldsOthers' });
    expect(ask('shop.pod.cluster.local.', { pods: 'insecure' })).toMatchObject({ rcode: 'NOERROR', code: 'NameHoldsOthers' });
    expect(ask('shop.pod.cluster.local.')).toMatchObject({ rcode: 'NXDOMAIN', code: 'PodsDisabled' });
    expect(ask('cluster.local.')).toMatchObject({ rcode: 'NOERROR', code: 'NoRecordAtApex' });
  });
});

describe('names outside of the schema', () => {
  it('are too deep, or in neither tree', () => {
    expect(ask(`a.b.c.${svc('web.shop')}`).why).toBe(
      'a.b.c.web.shop.svc.cluster.local. has 3 labels before the Service; at most two are allowed: port and protocol.',
    );
    expect(ask('web.shop.cluster.local.').why).toBe(
      'shop is neither "svc" nor "pod"; names of Services and pods have one of these labels before cluster.local.',
    );
  });
});
