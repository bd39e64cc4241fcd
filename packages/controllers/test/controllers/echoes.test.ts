import { describe, expect, test } from 'vitest';
import { createEchoes, type Echoes } from '../../src/controllers/echoes.ts';

test('a write is known again when the cache shows it after the answer, once', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  expect(echoes.end('k')).toBe(false);
  expect(echoes.originOf('k', 'a', '2')).toBe('own');
  expect(echoes.originOf('k', 'a', '2')).toBe('other');
});

test('what is seen while a write is under way is judged at its end', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  expect(echoes.originOf('k', 'a', '2')).toBe('own');
  echoes.wrote('k', 'a', '2', true);
  expect(echoes.end('k')).toBe(false);
  echoes.begin('k');
  expect(echoes.originOf('k', 'a', '3')).toBe('own');
  expect(echoes.originOf('k', 'a', '4')).toBe('own');
  echoes.wrote('k', 'a', '3', false);
  expect(echoes.end('k')).toBe(true);
  expect(echoes.originOf('k', 'a', '3')).toBe('other');
});

test('a write that changed nothing is not waited for, and others are others', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '1', true);
  expect(echoes.end('k')).toBe(false);
  expect(echoes.originOf('k', 'a', '1')).toBe('other');
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  echoes.end('k');
  expect(echoes.originOf('k', 'b', '2')).toBe('other');
  expect(echoes.originOf('other', 'a', '2')).toBe('other');
  expect(echoes.originOf('k', 'a', '2')).toBe('own');
});

test('of several writes of one object the last is waited for', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  echoes.wrote('k', 'a', '3', false);
  echoes.end('k');
  expect(echoes.originOf('k', 'a', '3')).toBe('own');
  expect(echoes.end('unknown')).toBe(false);
});

function writtenOnce(name = 'a'): Echoes {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', name, '2', false);
  echoes.end('k');
  return echoes;
}

test('a write of which the last sync knew nothing is overtaken, and the next one is not', () => {
  const echoes = writtenOnce();
  echoes.overtake('k');
  echoes.overtake('unknown');
  expect(echoes.originOf('k', 'a', '2')).toBe('overtaken');
  echoes.begin('k');
  echoes.wrote('k', 'a', '3', false);
  echoes.end('k');
  expect(echoes.originOf('k', 'a', '3')).toBe('own');
});

test('it is known what is awaited until the cache shows it or it is given up', () => {
  const echoes = writtenOnce();
  expect([echoes.awaits('k'), echoes.awaits('other')]).toEqual([true, false]);
  echoes.originOf('k', 'a', '2');
  expect(echoes.awaits('k')).toBe(false);
  const others = writtenOnce();
  others.giveUp('k');
  others.giveUp('other');
  expect(others.awaits('k')).toBe(false);
  expect(others.originOf('k', 'a', '2')).toBe('other');
});

describe('a list', () => {
  test('that began after the answer settles what it does not show', () => {
    const echoes = writtenOnce();
    echoes.listBegins();
    expect(echoes.listShown()).toEqual(['k']);
    expect(echoes.awaits('k')).toBe(false);
    echoes.listBegins();
    expect(echoes.listShown()).toEqual([]);
  });

  test('that began before the answer may not know of it: it is still awaited', () => {
    const echoes = createEchoes();
    echoes.listBegins();
    echoes.begin('k');
    echoes.wrote('k', 'a', '2', false);
    echoes.end('k');
    expect(echoes.listShown()).toEqual(['k']);
    expect(echoes.originOf('k', 'a', '2')).toBe('own');
  });

  test('that shows what was written is no reason for a sync', () => {
    const echoes = writtenOnce();
    echoes.listBegins();
    expect(echoes.originOf('k', 'a', '2')).toBe('own');
    expect(echoes.listShown()).toEqual([]);
  });

  test.each([
    [true, false],
    [false, true],
  ])('while a write is under way that it shows (%s): whether a sync is due is seen at the end (%s)', (shown, due) => {
    const echoes = createEchoes();
    echoes.begin('k');
    echoes.listBegins();
    expect(echoes.listShown()).toEqual([]);
    echoes.wrote('k', 'a', '2', shown);
    expect(echoes.end('k')).toBe(due);
  });
});
