import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repackSubsets } from '../../../src/core/index.ts';
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

it('stores what repacking would make of it, whether or not there is anything to do', async () => {
  const { registry } = await createWorld();
  const address = fc.record({ ip: fc.constantFrom('10.0.0.1', '10.0.0.10', '10.0.0.2', 'fd00::1'), uid: fc.constantFrom('a', 'b') });
  const addresses = fc.array(
    address.map(({ ip, uid }) => ({ ip, targetRef: { kind: 'Pod', uid } })),
    { maxLength: 3 },
  );
  const ports = fc.array(fc.record({ name: fc.constantFrom('http', 'dns'), port: fc.constantFrom(80, 53), protocol: fc.constant('TCP') }), {
    maxLength: 2,
  });
  const subsets = fc.array(fc.record({ addresses, notReadyAddresses: addresses, ports }), { maxLength: 2 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(subsets, async (given) => {
      const whole = given.filter((each) => each.addresses.length + each.notReadyAddresses.length > 0);
      count += 1;
      const created = await registry.create(resources.endpoints, 'shop', object(`e${count}`, { subsets: whole }));
      const packed = repackSubsets(whole);
      expect(created['subsets']).toEqual(packed.length > 0 ? packed : undefined);
    }),
  );
});
