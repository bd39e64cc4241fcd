import { describe, expect, test } from 'vitest';
import { createEchoes, type Echoes } from '../../src/controllers/echoes.ts';

test('the first cache event of an own write is attributed to it', () => {
  const echoes = createEchoes();
  echoes.begin('k');
  echoes.wrote('k', 'a', '2', false);
  expect(echoes.end('k')).toBe(false);
  expect(echoes.originOf('k', 'a', '2')).toBe('own');
  expect(echoes.originOf('k', 'a', '2')).toBe('other');
});

test('events during a write are attributed when the write ends', () => {
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

test('a write without changes sets no expectation, and other objects are attributed to others', () => {
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

test('the last of several writes to an object is expected', () => {
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

test('a write that an unaware sync overtook is reported as overtaken, the next one as own', () => {
  const echoes = writtenOnce();
  echoes.overtake('k');
  echoes.overtake('unknown');
  expect(echoes.originOf('k', 'a', '2')).toBe('overtaken');
  echoes.begin('k');
  echoes.wrote('k', 'a', '3', false);
  echoes.end('k');
  expect(echoes.originOf('k', 'a', '3')).toBe('own');
});

test('an expectation ends when the cache shows the write or it is given up', () => {
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
  test('that began after the response resolves expectations of objects it does not contain', () => {
    const echoes = writtenOnce();
    echoes.listBegins();
    expect(echoes.listShown()).toEqual(['k']);
    expect(echoes.awaits('k')).toBe(false);
    echoes.listBegins();
    expect(echoes.listShown()).toEqual([]);
  });

  test('that began before the response does not resolve the expectation', () => {
    const echoes = createEchoes();
    echoes.listBegins();
    echoes.begin('k');
    echoes.wrote('k', 'a', '2', false);
    echoes.end('k');
    expect(echoes.listShown()).toEqual(['k']);
    expect(echoes.originOf('k', 'a', '2')).toBe('own');
  });

  test('that contains the written object enqueues no sync', () => {
    const echoes = writtenOnce();
    echoes.listBegins();
    expect(echoes.originOf('k', 'a', '2')).toBe('own');
    expect(echoes.listShown()).toEqual([]);
  });

  test.each([
    [true, false],
    [false, true],
  ])('during a write, with the write shown: %s, makes a sync due: %s', (shown, due) => {
    const echoes = createEchoes();
    echoes.begin('k');
    echoes.listBegins();
    expect(echoes.listShown()).toEqual([]);
    echoes.wrote('k', 'a', '2', shown);
    expect(echoes.end('k')).toBe(due);
  });
});
