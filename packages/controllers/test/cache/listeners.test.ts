import { describe, expect, it } from 'vitest';
import type { CacheEvent } from '../../src/cache/index.ts';
import { createListeners } from '../../src/cache/informer.ts';

const setup = () => {
  const content = new Map<string, number>([['a', 1]]);
  const errors: unknown[] = [];
  const listeners = createListeners(content, (error) => errors.push(error));
  const said: string[] = [];
  const listener = (name: string) => (event: CacheEvent<number>, key: string) => void said.push(`${name}: ${event.type} ${key}`);
  const added = (object: number): CacheEvent<number> => ({ type: 'added', object, initial: false });
  return { content, errors, listeners, said, listener, added };
};

describe('createListeners', () => {
  it('tells a new one what is there, as initial', () => {
    const { listeners } = setup();
    const events: CacheEvent<number>[] = [];
    listeners.add((event) => events.push(event));
    expect(events).toEqual([{ type: 'added', object: 1, initial: true }]);
  });

  it('tells all, in the order in which they came', () => {
    const { listeners, said, listener, added } = setup();
    listeners.add(listener('first'));
    listeners.add(listener('second'));
    said.length = 0;
    listeners.audience()(added(2), 'b');
    expect(said).toEqual(['first: added b', 'second: added b']);
  });

  it('tells the others where one throws, and tells of that', () => {
    const { listeners, said, listener, added, errors } = setup();
    const error = new Error('a bug');
    listeners.add(() => {
      throw error;
    });
    listeners.add(listener('second'));
    listeners.audience()(added(2), 'b');
    expect(said).toEqual(['second: added a', 'second: added b']);
    expect(errors).toEqual([error, error]);
  });

  it('tells nobody who has left, even in the midst of telling', () => {
    const { listeners, said, listener, added } = setup();
    const leave: (() => void)[] = [];
    listeners.add(() => leave.forEach((each) => void each()));
    leave.push(listeners.add(listener('second')));
    said.length = 0;
    listeners.audience()(added(2), 'b');
    expect(said).toEqual([]);
  });

  it('does not tell one twice who comes in the midst of telling', () => {
    const { content, listeners, said, listener, added } = setup();
    let late = false;
    listeners.add((_, key) => {
      if (key === 'b' && !late) listeners.add(listener('late'));
      late ||= key === 'b';
    });
    content.set('b', 2);
    content.set('c', 3);
    const tell = listeners.audience();
    tell(added(2), 'b');
    tell(added(3), 'c');
    expect(said).toEqual(['late: added a', 'late: added b', 'late: added c']);
  });
});
