import { expect, test } from 'vitest';
import { readinessReasons } from '../../src/explain/readiness-reasons.ts';
import { reasons } from '../../src/explain/reasons.ts';
import type { ReadinessCauseCode } from '../../src/types/index.ts';

test('they are reasons of pods, and the sentences of no two are alike', () => {
  const rows = Object.entries(readinessReasons);
  expect(rows.map(([code]) => reasons[code as ReadinessCauseCode]?.about)).toEqual(rows.map(() => 'pod'));
  expect(new Set(rows.map(([, { message }]) => message)).size).toBe(rows.length);
});
