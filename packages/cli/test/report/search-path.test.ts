import type { Pod } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { createSearch } from '../../src/report/resolve.ts';

test('the search path is that of a pod without DNS settings if only the namespace is known', () => {
  expect(createSearch('web', { pod: undefined, namespace: 'shop', zone: 'acme.test' })).toEqual({
    client: 'namespace shop',
    searches: ['shop.svc.acme.test', 'svc.acme.test', 'acme.test'],
    ndots: 5,
    names: ['web.shop.svc.acme.test.', 'web.svc.acme.test.', 'web.acme.test.', 'web.'],
    hints: [],
  });
});

test('the search path and ndots are those of the pod', () => {
  const spec = { dnsConfig: { searches: ['example.com'], options: [{ name: 'ndots', value: '1' }] } };
  const pod: Pod = { metadata: { name: 'p', namespace: 'shop' }, spec: spec as Pod['spec'] };
  expect(createSearch('a.b', { pod, namespace: 'shop', zone: 'acme.test' })).toMatchObject({
    client: 'pod shop/p',
    ndots: 1,
    names: ['a.b.', 'a.b.shop.svc.acme.test.', 'a.b.svc.acme.test.', 'a.b.acme.test.', 'a.b.example.com.'],
  });
});
