import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pageStyle, pageStyleHash } from '../../../src/trace/page/style.ts';

test('pageStyleHash is the hash of the style, which the content security policy requires', () => {
  expect(pageStyleHash).toBe(`sha256-${createHash('sha256').update(String(pageStyle)).digest('base64')}`);
});

test('the style loads nothing and needs no escaping', () => {
  expect(String(pageStyle)).not.toMatch(/url\(|@import|<\/|expression/);
});
