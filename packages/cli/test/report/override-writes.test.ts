import { expect, test } from 'vitest';
import { computeWrites, serviceKeyOf, toWrites } from '../../src/report/overrides.ts';
import { endpoints, inventoryOf, pod, service } from '../objects.ts';

const inventory = inventoryOf({ services: [service('web')], pods: [pod('a', 'web', '10.0.0.1')] });
const stored = endpoints('web', [{ addresses: [{ ip: '10.0.0.9' }] }]);
const describeWrites = (writes: ReturnType<typeof toWrites>): readonly string[] =>
  writes.map(({ operation, kind, object, service: serviceKey }) => `${operation} ${kind} ${object.metadata?.name ?? '*'} of ${serviceKey}`);

test('objects of the input count as created, or as updated if they are stored', () => {
  const input = inventoryOf({ endpoints: [stored, endpoints('api', [])] });
  expect(describeWrites(toWrites(input, undefined))).toEqual(['CREATE Endpoints api of shop/api', 'CREATE Endpoints web of shop/web']);
  expect(describeWrites(toWrites(input, inventoryOf({ endpoints: [stored] })))).toEqual([
    'CREATE Endpoints api of shop/api',
    'UPDATE Endpoints web of shop/web',
  ]);
});

test('computed objects count as created, or as updated if they are stored', () => {
  expect(describeWrites(computeWrites(inventory, undefined, { version: '1.36' }))).toEqual([
    'CREATE Endpoints web of shop/web',
    'CREATE EndpointSlice * of shop/web',
  ]);
  expect(describeWrites(computeWrites(inventory, inventoryOf({ endpoints: [stored] }), { version: '1.36' }))[0]).toBe(
    'UPDATE Endpoints web of shop/web',
  );
  expect(describeWrites(computeWrites(inventory, undefined, { version: '1.16' }))).toEqual(['CREATE Endpoints web of shop/web']);
});

test('the Service of a slice comes from its service-name label', () => {
  expect(serviceKeyOf({ metadata: { namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } } } as never)).toBe('shop/web');
  expect(serviceKeyOf({ metadata: { namespace: 'shop' } } as never)).toBeUndefined();
});
