import { expect, it } from 'vitest';
import { generateDns } from './dns/generate.ts';
import { onePerName } from './objects.ts';
import { generateProxy } from './proxy/generate.ts';

it('onePerName keeps the first object of each name', () => {
  const named = (namespace: string, name: string, uid: string) => ({ metadata: { namespace, name, uid } });
  const first = named('prod', 'a', '1');
  const elsewhere = named('default', 'a', '2');
  expect(onePerName([first, elsewhere, named('prod', 'a', '3'), { metadata: null }, {}])).toStrictEqual([
    first,
    elsewhere,
    { metadata: null },
  ]);
});

it.each([
  ['DNS', [...generateDns(7, 1000)].map(({ objects }) => objects)],
  ['nodes', [...generateProxy(7, 1000)].map(({ services, endpointSlices }) => ({ services, endpointSlices }))],
] as const)('no world of %s has two objects of one name', (_, worlds) => {
  const kinds = worlds.flatMap<readonly Parameters<typeof onePerName>[0][number][]>((world) => Object.values(world));
  expect(kinds.length).toBeGreaterThan(1999);
  expect(kinds.filter((objects) => onePerName(objects).length < objects.length)).toStrictEqual([]);
});
