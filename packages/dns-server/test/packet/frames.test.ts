import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { createFrames, framed } from '../../src/packet/frames.ts';

const message = (length: number, fill = 1): Uint8Array => new Uint8Array(length).fill(fill);

test('a message has its length before it', () => {
  expect([...framed(message(300)).subarray(0, 3)]).toEqual([1, 44, 1]);
});

describe('messages come out', () => {
  test('as they went in, however they are cut', () => {
    const messages = fc.array(fc.uint8Array({ minLength: 12, maxLength: 60 }), { maxLength: 8 });
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 40 })), (all, cuts) => {
        let rest = Buffer.concat(all.map(framed));
        const frames = createFrames();
        const out: Buffer[] = [];
        const take = (): void => {
          for (let next = frames.next(); next; next = frames.next()) out.push(Buffer.from(next));
        };
        for (const cut of cuts) {
          frames.add(rest.subarray(0, cut));
          rest = rest.subarray(cut);
          take();
        }
        frames.add(rest);
        take();
        expect(out).toEqual(all.map((each) => Buffer.from(each)));
      }),
    );
  });

  test.each([0, 11, 4097, 65_535])('but not of %i bytes', (length) => {
    const frames = createFrames();
    frames.add(Uint8Array.of(length >> 8, length & 255));
    expect(frames.next()).toBeNull();
  });

  test('a part is none', () => {
    const frames = createFrames();
    frames.add(Uint8Array.of(0));
    expect(frames.next()).toBeUndefined();
    frames.add(Uint8Array.of(12, 1, 2));
    expect(frames.next()).toBeUndefined();
  });
});
