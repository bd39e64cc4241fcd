import { expect, test } from 'vitest';
import type { InformerState } from '../../src/cache/index.ts';
import { createLists, type Lists } from '../../src/controllers/caches.ts';

const hear = (lists: Lists): string[] => {
  const heard: string[] = [];
  lists.listen((what) => heard.push(what));
  return heard;
};

const enter = (lists: Lists, ...states: InformerState[]): void => {
  for (const state of states) lists.take({ kind: 'informer', resource: 'endpoints', state, objects: 0 });
};

test('a list begins, and is shown once the informer watches', () => {
  const lists = createLists();
  const heard = hear(lists);
  enter(lists, 'listing', 'watching');
  expect(heard).toEqual(['begins', 'shown']);
});

test('a watch that goes on is no list, and one that fails shows nothing', () => {
  const lists = createLists();
  enter(lists, 'listing', 'watching');
  const heard = hear(lists);
  enter(lists, 'watching', 'waiting', 'watching');
  expect(heard).toEqual([]);
  enter(lists, 'listing', 'waiting', 'listing', 'watching');
  expect(heard).toEqual(['begins', 'begins', 'shown']);
});

test('an object that cannot be taken in, and what is told of other things, is neither', () => {
  const lists = createLists();
  enter(lists, 'listing');
  const heard = hear(lists);
  lists.take({ kind: 'informer', resource: 'endpoints', state: 'listing', objects: 0, error: new Error('no object') });
  lists.take({ kind: 'queued', queue: 'endpoints', key: 'shop/web', length: 1, retry: false });
  expect(heard).toEqual([]);
});

test('who has left is told nothing', () => {
  const lists = createLists();
  const heard: string[] = [];
  const leave = lists.listen((what) => heard.push(what));
  leave();
  enter(lists, 'listing', 'watching');
  expect(heard).toEqual([]);
});
