import { describe, expect, test } from 'vitest';
import { type Allowance, readWithinAllowance } from '../../src/input/read.ts';
import { maxInputBytes } from '../../src/input/sources.ts';

/** Creates a source of these chunks that records how many are read. */
function createSource(...chunks: readonly (readonly number[])[]) {
  const usage = { chunkCount: 0, closed: false };
  const read = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        usage.chunkCount++;
        yield Uint8Array.from(chunk);
      }
    } finally {
      usage.closed = true;
    }
  };
  return { usage, chunks: read() };
}

describe('input within the limit', () => {
  test.each([
    ['no chunks', [], []],
    ['one chunk', [[1, 2]], [1, 2]],
    ['several chunks, some of them empty', [[1], [], [2, 3], [4]], [1, 2, 3, 4]],
  ])('is read completely: %s', async (_, chunks, expected) => {
    const allowance: Allowance = { remainingBytes: 10 };
    expect([...((await readWithinAllowance(createSource(...chunks).chunks, allowance)) ?? ['refused'])]).toEqual(expected);
    expect(allowance.remainingBytes).toBe(10 - expected.length);
  });

  test('may use the limit up to the last byte', async () => {
    const allowance: Allowance = { remainingBytes: 4 };
    expect(await readWithinAllowance(createSource([1, 2], [3, 4]).chunks, allowance)).toHaveLength(4);
    expect(allowance.remainingBytes).toBe(0);
  });
});

describe('input beyond the limit', () => {
  test('is refused even for a single byte', async () => {
    expect(await readWithinAllowance(createSource([1, 2], [3, 4]).chunks, { remainingBytes: 3 })).toBe(undefined);
    expect(await readWithinAllowance(createSource([1]).chunks, { remainingBytes: 0 })).toBe(undefined);
  });

  test('is not read further, and its source is closed', async () => {
    const { chunks, usage } = createSource([1], [2, 3], [4], [5]);
    expect(await readWithinAllowance(chunks, { remainingBytes: 2 })).toBe(undefined);
    expect(usage).toEqual({ chunkCount: 2, closed: true });
  });

  test('is refused if several sources exceed it together', async () => {
    const allowance: Allowance = { remainingBytes: 3 };
    expect(await readWithinAllowance(createSource([1, 2]).chunks, allowance)).toHaveLength(2);
    expect(await readWithinAllowance(createSource([3, 4]).chunks, allowance)).toBe(undefined);
    expect(allowance.remainingBytes).toBeLessThan(0);
  });
});

test('readWithinAllowance rejects with the error of the source', async () => {
  const failingChunks = async function* (): AsyncGenerator<Uint8Array> {
    yield Uint8Array.of(1);
    throw new Error('gone');
  };
  await expect(readWithinAllowance(failingChunks(), { remainingBytes: 10 })).rejects.toThrow('gone');
});

test('the input limit is 256 MiB', () => {
  expect(maxInputBytes).toBe(268_435_456);
});
