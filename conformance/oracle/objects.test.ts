import { expect, it } from 'vitest';
import { generateDns } from './dns/generate.ts';
import { keepFirstPerName } from './objects.ts';
import { generateProxy } from './proxy/generate.ts';

it('keepFirstPerName keeps the first object of each namespace and name', () => {
  const object = (namespace: string, name: string, uid: string) => ({ metadata: { namespace, name, uid } });
  const first = object('prod', 'a', '1');
  const second = object('default', 'a', '2');
  expect(keepFirstPerName([first, second, object('prod', 'a', '3'), { metadata: null }, {}])).toStrictEqual([
    first,
    second,
    { metadata: null },
  ]);
});

it.each([
  ['DNS', [...generateDns(7, 1000)].map(({ objects }) => objects)],
  ['nodes', [...generateProxy(7, 1000)].map(({ services, endpointSlices }) => ({ services, endpointSlices }))],
] as const)('generated cases of %s contain no two objects with the same namespace and name', (_, cases) => {
  const lists = cases.flatMap<readonly Parameters<typeof keepFirstPerName>[0][number][]>((testCase) => Object.values(testCase));
  expect(lists.length).toBeGreaterThan(1999);
  expect(lists.filter((objects) => keepFirstPerName(objects).length < objects.length)).toStrictEqual([]);
});
