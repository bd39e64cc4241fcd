import { expect, test } from 'vitest';
import { createIndex, createFixedSource } from '../../../src/live/webhook/pods.ts';

test('an index follows added, updated and deleted objects', () => {
  type Thing = { readonly groups: readonly string[] };
  let observer: (event: { type: string; object: Thing; old?: Thing }, key: string) => void = () => undefined;
  const index = createIndex<Thing>(
    {
      listen(listener) {
        observer = listener;
      },
    },
    ({ groups }) => groups,
  );
  const first = { groups: ['a', 'b'] };
  const second = { groups: ['b'] };
  observer({ type: 'added', object: first }, '1');
  observer({ type: 'added', object: second }, '2');
  expect([...index.get('b')]).toEqual([first, second]);
  const changed = { groups: ['c'] };
  observer({ type: 'updated', object: changed, old: first }, '1');
  expect([[...index.get('a')], [...index.get('b')], [...index.get('c')]]).toEqual([[], [second], [changed]]);
  observer({ type: 'deleted', object: second }, '2');
  expect([...index.get('b')]).toEqual([]);
});

test('an index includes objects that already exist', () => {
  const index = createIndex(createFixedSource(['a1', 'a2', 'b1']), (text) => [text.slice(0, 1)]);
  expect([...index.get('a')]).toEqual(['a1', 'a2']);
  expect([...index.get('c')]).toEqual([]);
});
