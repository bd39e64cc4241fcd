import { describe, expect, test } from 'vitest';
import { type Allowance, inputLimit, readWithin } from '../../src/input/read.ts';

/** A source of these chunks that records how far it is read. */
function source(...chunks: readonly (readonly number[])[]) {
  const seen = { taken: 0, closed: false };
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        seen.taken++;
        yield Uint8Array.from(chunk);
      }
    } finally {
      seen.closed = true;
    }
  };
  return { seen, chunks: read() };
}

describe('reads input within the limit', () => {
  test.each([
    ['nothing', [], []],
    ['one chunk', [[1, 2]], [1, 2]],
    ['several, some empty, in order', [[1], [], [2, 3], [4]], [1, 2, 3, 4]],
  ])('%s', async (_, chunks, expected) => {
    const allowance: Allowance = { left: 10 };
    expect([...((await readWithin(source(...chunks).chunks, allowance)) ?? ['refused'])]).toEqual(expected);
    expect(allowance.left).toBe(10 - expected.length);
  });

  test('up to the last byte', async () => {
    const allowance: Allowance = { left: 4 };
    expect(await readWithin(source([1, 2], [3, 4]).chunks, allowance)).toHaveLength(4);
    expect(allowance.left).toBe(0);
  });
});

describe('refuses input beyond the limit', () => {
  test('by a single byte', async () => {
    expect(await readWithin(source([1, 2], [3, 4]).chunks, { left: 3 })).toBe(undefined);
    expect(await readWithin(source([1]).chunks, { left: 0 })).toBe(undefined);
  });

  test('and stops reading and closes the source', async () => {
    const { chunks, seen } = source([1], [2, 3], [4], [5]);
    expect(await readWithin(chunks, { left: 2 })).toBe(undefined);
    expect(seen).toEqual({ taken: 2, closed: true });
  });

  test('shared between sources', async () => {
    const allowance: Allowance = { left: 3 };
    expect(await readWithin(source([1, 2]).chunks, allowance)).toHaveLength(2);
    expect(await readWithin(source([3, 4]).chunks, allowance)).toBe(undefined);
    expect(allowance.left).toBeLessThan(0);
  });
});

test('passes on an error of the source', async () => {
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1);
    throw new Error('gone');
  };
  await expect(readWithin(failing(), { left: 10 })).rejects.toThrow('gone');
});

test('the input limit is 256 MiB', () => {
  expect(inputLimit).toBe(268_435_456);
});
