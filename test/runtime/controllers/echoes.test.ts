import { expect, test } from 'vitest';
import { createEchoes } from '../../../src/runtime/controllers/echoes.ts';

test('a write is known again when the cache shows it after the answer, once', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  expect(echoes.end('k')).toBe(false);
  expect(echoes.isOwn('k', 'a', '2')).toBe(true);
  expect(echoes.isOwn('k', 'a', '2')).toBe(false);
});

test('what is seen while a write is under way is judged at its end', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  expect(echoes.isOwn('k', 'a', '2')).toBe(true);
  echoes.wrote('k', 'a', '2', true);
  expect(echoes.end('k')).toBe(false);
  echoes.begin('k');
  expect(echoes.isOwn('k', 'a', '3')).toBe(true);
  expect(echoes.isOwn('k', 'a', '4')).toBe(true);
  echoes.wrote('k', 'a', '3', false);
  expect(echoes.end('k')).toBe(true);
  expect(echoes.isOwn('k', 'a', '3')).toBe(false);
});

test('a write that changed nothing is not waited for, and others are others', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '1', true);
  expect(echoes.end('k')).toBe(false);
  expect(echoes.isOwn('k', 'a', '1')).toBe(false);
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  echoes.end('k');
  expect(echoes.isOwn('k', 'b', '2')).toBe(false);
  expect(echoes.isOwn('other', 'a', '2')).toBe(false);
  echoes.forget('k');
  expect(echoes.isOwn('k', 'a', '2')).toBe(false);
});

test('of several writes of one object the last is waited for', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  echoes.wrote('k', 'a', '3', false);
  echoes.end('k');
  expect(echoes.isOwn('k', 'a', '3')).toBe(true);
  expect(echoes.end('unknown')).toBe(false);
});
