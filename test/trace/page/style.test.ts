import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageStyle, pageStyleHash } from '../../../src/trace/page/style.ts';

test('the hash in the policy is that of the style: else no browser applies it', () => {
  expect(pageStyleHash).toBe(`sha256-${createHash('sha256').update(String(pageStyle)).digest('base64')}`);
});

test('the style loads nothing and can be written into a page as it is', () => {
  expect(String(pageStyle)).not.toMatch(/url\(|@import|<\/|expression/);
});
