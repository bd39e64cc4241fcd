import { expect, test } from 'vitest';
import { createFixedSource, createObjectIndex } from '../../../src/live/webhook/pods.ts';

test('an index follows added, updated and deleted objects', () => {
  type GroupedObject = { readonly groups: readonly string[] };
  let listener: (event: { type: string; object: GroupedObject; old?: GroupedObject }, key: string) => void = () => undefined;
  const index = createObjectIndex<GroupedObject>(
    {
      listen(newListener) {
        listener = newListener;
      },
    },
    ({ groups }) => groups,
  );
  const first = { groups: ['a', 'b'] };
  const second = { groups: ['b'] };
  listener({ type: 'added', object: first }, '1');
  listener({ type: 'added', object: second }, '2');
  expect([...index.get('b')]).toEqual([first, second]);
  const updated = { groups: ['c'] };
  listener({ type: 'updated', object: updated, old: first }, '1');
  expect([[...index.get('a')], [...index.get('b')], [...index.get('c')]]).toEqual([[], [second], [updated]]);
  listener({ type: 'deleted', object: second }, '2');
  expect([...index.get('b')]).toEqual([]);
});

test('an index includes objects that already exist', () => {
  const index = createObjectIndex(createFixedSource(['a1', 'a2', 'b1']), (text) => [text.slice(0, 1)]);
  expect([...index.get('a')]).toEqual(['a1', 'a2']);
  expect([...index.get('c')]).toEqual([]);
});
