import { expect, it } from 'vitest';
import { plainCopy } from '../../src/allocators/plain.ts';

it('copies all the way down, without undefined fields and classes', () => {
  class Thing {
    list = [{ a: 1 }];
    none = undefined;
    when = new Date(0);
  }
  const thing = new Thing();
  const copy = plainCopy(thing);
  expect(copy).toStrictEqual({ list: [{ a: 1 }], when: new Date(0) });
  expect(copy.list[0]).not.toBe(thing.list[0]);
  expect(copy.when).not.toBe(thing.when);
});
