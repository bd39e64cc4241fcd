import { expect, test } from 'vitest';
import { createLineCounter } from '../../src/input/json-scan.ts';

test('the line counter reads each byte once if the offsets ascend', () => {
  const readCounts: number[] = [];
  class RecordedBytes extends Uint8Array {
    override subarray(from = 0, end: number = this.length): Uint8Array<ArrayBuffer> {
      readCounts.push(end - from);
      return Uint8Array.from(this).subarray(from, end);
    }
  }
  const lineAt = createLineCounter(RecordedBytes.from(new TextEncoder().encode('a\nb\n\nc')));
  expect([0, 1, 2, 4, 5].map(lineAt)).toEqual([1, 1, 2, 3, 4]);
  expect(readCounts.reduce((sum, count) => sum + count)).toBe(5);
  expect([2, 5, 0].map(lineAt)).toEqual([2, 4, 1]);
});
