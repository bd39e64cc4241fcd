import { expect, it } from 'vitest';
import { timestamp, timestampOf } from '../../../src/apiserver/registry/time.ts';

it('is written in whole seconds', () => {
  expect(timestampOf(Date.parse('2026-01-02T03:04:05.999Z'))).toBe('2026-01-02T03:04:05Z');
  expect(timestamp({ now: () => 0 })).toBe('1970-01-01T00:00:00Z');
});
