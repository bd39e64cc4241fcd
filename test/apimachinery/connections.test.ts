import { describe, expect, test } from 'vitest';
import { type ConnectionEntry, createConnectionLimiter } from '../../src/apimachinery/index.ts';

/** A limiter of connections that are named by texts, with the closed ones in order. */
function createLimiter(maxConnections: number) {
  const closed: string[] = [];
  const limiter = createConnectionLimiter<string>({ maxConnections, close: (connection) => closed.push(connection) });
  const add = (connection: string, address = 'a'): ConnectionEntry<string> => {
    const entry = limiter.add(connection, address);
    if (!entry) throw new Error(`${connection} was refused`);
    return entry;
  };
  /** Adds a connection that has been idle since a request was answered. */
  const addIdle = (connection: string): ConnectionEntry<string> => {
    const entry = add(connection);
    limiter.begin(entry);
    limiter.end(entry);
    return entry;
  };
  return { ...limiter, closed, add, addIdle, open: () => [...limiter.entries].map(({ connection }) => connection) };
}

describe('createConnectionLimiter', () => {
  test('closes nothing up to the maximum', () => {
    const limiter = createLimiter(3);
    for (const name of ['1', '2', '3']) limiter.add(name);
    expect([limiter.closed, limiter.open()]).toStrictEqual([[], ['1', '2', '3']]);
  });

  test('closes the oldest incomplete connection first, and idle ones only if all others are complete', () => {
    const limiter = createLimiter(4);
    limiter.addIdle('idle');
    const active = limiter.add('active');
    limiter.add('silent 1');
    limiter.add('silent 2');
    limiter.begin(active);
    for (const name of ['new 1', 'new 2']) limiter.begin(limiter.add(name));
    expect(limiter.closed).toStrictEqual(['silent 1', 'silent 2']);
    limiter.begin(limiter.add('new 3'));
    expect(limiter.closed).toStrictEqual(['silent 1', 'silent 2', 'idle']);
  });

  test('refuses a new connection while requests are answered on all others', () => {
    const limiter = createLimiter(2);
    const entries = ['1', '2'].map((name) => limiter.add(name));
    for (const entry of entries) limiter.begin(entry);
    expect(() => limiter.add('3')).toThrow('3 was refused');
    expect([limiter.closed, limiter.open()]).toStrictEqual([['3'], ['1', '2']]);
    limiter.end(entries[1] as ConnectionEntry<string>);
    limiter.add('4');
    expect([limiter.closed, limiter.open()]).toStrictEqual([
      ['3', '2'],
      ['1', '4'],
    ]);
  });

  test('closes the connection that has been idle longest; activity counts', () => {
    const limiter = createLimiter(3);
    const [first] = ['1', '2', '3'].map(limiter.addIdle);
    limiter.touch(first as ConnectionEntry<string>);
    limiter.add('4');
    expect(limiter.closed).toStrictEqual(['2']);
  });

  test('treats a connection as idle only after all its requests are answered', () => {
    const limiter = createLimiter(1);
    const entry = limiter.add('1');
    limiter.begin(entry);
    limiter.begin(entry);
    limiter.end(entry);
    expect(() => limiter.add('2')).toThrow('2 was refused');
    limiter.end(entry);
    limiter.add('3');
    expect(limiter.closed).toStrictEqual(['2', '1']);
  });

  test('lets an address have a quarter of the maximum incomplete, but any number complete', () => {
    const limiter = createLimiter(100);
    limiter.add('other', 'b');
    for (let i = 1; i <= 27; i++) limiter.add(`${i}`);
    expect([limiter.closed, limiter.entries.size]).toStrictEqual([['1', '2'], 26]);
    for (let i = 1; i <= 60; i++) limiter.addIdle(`idle ${i}`);
    expect(limiter.open().filter((name) => name.startsWith('idle'))).toHaveLength(60);
    expect(limiter.open()).toContain('other');
  });

  test('lets an address have 16 incomplete connections even if the maximum is small', () => {
    const limiter = createLimiter(20);
    for (let i = 1; i <= 17; i++) limiter.add(`${i}`);
    expect(limiter.closed).toStrictEqual(['1']);
  });

  test('forgets connections that are removed, in every state', () => {
    const limiter = createLimiter(3);
    const active = limiter.add('active');
    limiter.begin(active);
    for (const entry of [active, limiter.addIdle('idle'), limiter.add('silent')]) limiter.remove(entry);
    limiter.end(active);
    expect(limiter.entries.size).toBe(0);
    for (const name of ['1', '2', '3', '4']) limiter.add(name);
    expect(limiter.closed).toStrictEqual(['1']);
  });
});
