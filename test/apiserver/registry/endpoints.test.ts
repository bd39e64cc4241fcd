import { expect, it } from 'vitest';
import { resources } from '../../../src/port/index.ts';
import { at, createWorld, object } from './support.ts';

const subset = (ips: readonly string[], port: number) => ({ addresses: ips.map((ip) => ({ ip })), ports: [{ port }] });

it('stores Endpoints in canonical order', async () => {
  const { registry } = await createWorld();
  const created = await registry.create(
    resources.endpoints,
    'shop',
    object('a', { subsets: [subset(['10.0.0.2'], 80), subset(['10.0.0.1'], 80)] }),
  );
  const whole = [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80, protocol: 'TCP' }] }];
  expect(created['subsets']).toEqual(whole);
  const same = { ...created, subsets: [subset(['10.0.0.1'], 80), subset(['10.0.0.2'], 80)] };
  expect(await registry.update(resources.endpoints, at('a'), () => same)).toBe(created);
  const emptied = await registry.update(resources.endpoints, at('a'), () => ({ ...created, subsets: [] }));
  expect(emptied).not.toHaveProperty('subsets');
});
