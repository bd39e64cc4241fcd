import { describe, expect, test } from 'vitest';
import { createWriteExpectations, type WriteExpectations } from '../../src/controllers/write-expectations.ts';

test('the first cache event of an own write is attributed to it', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.wrote('k', 'a', '2', false);
  expect(expectations.end('k')).toBe(false);
  expect(expectations.observe('k', 'a', '2')).toBe('own');
  expect(expectations.observe('k', 'a', '2')).toBe('other');
});

test('events during a write are attributed when the write ends', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expect(expectations.observe('k', 'a', '2')).toBe('own');
  expectations.wrote('k', 'a', '2', true);
  expect(expectations.end('k')).toBe(false);
  expectations.begin('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
  expect(expectations.observe('k', 'a', '4')).toBe('own');
  expectations.wrote('k', 'a', '3', false);
  expect(expectations.end('k')).toBe(true);
  expect(expectations.observe('k', 'a', '3')).toBe('other');
});

test('a write without changes sets no expectation, and other objects are attributed to others', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.wrote('k', 'a', '1', true);
  expect(expectations.end('k')).toBe(false);
  expect(expectations.observe('k', 'a', '1')).toBe('other');
  expectations.begin('k');
  expectations.wrote('k', 'a', '2', false);
  expectations.end('k');
  expect(expectations.observe('k', 'b', '2')).toBe('other');
  expect(expectations.observe('other', 'a', '2')).toBe('other');
  expect(expectations.observe('k', 'a', '2')).toBe('own');
});

test('the last of several writes to an object is expected', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.wrote('k', 'a', '2', false);
  expectations.wrote('k', 'a', '3', false);
  expectations.end('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
  expect(expectations.end('unknown')).toBe(false);
});

function writtenOnce(name = 'a'): WriteExpectations {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.wrote('k', name, '2', false);
  expectations.end('k');
  return expectations;
}

test('a write that an unaware sync overtook is reported as overtaken, the next one as own', () => {
  const expectations = writtenOnce();
  expectations.supersede('k');
  expectations.supersede('unknown');
  expect(expectations.observe('k', 'a', '2')).toBe('superseded');
  expectations.begin('k');
  expectations.wrote('k', 'a', '3', false);
  expectations.end('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
});

test('an expectation ends when the cache shows the write or it is given up', () => {
  const expectations = writtenOnce();
  expect([expectations.isPending('k'), expectations.isPending('other')]).toEqual([true, false]);
  expectations.observe('k', 'a', '2');
  expect(expectations.isPending('k')).toBe(false);
  const others = writtenOnce();
  others.abandon('k');
  others.abandon('other');
  expect(others.isPending('k')).toBe(false);
  expect(others.observe('k', 'a', '2')).toBe('other');
});

describe('a list', () => {
  test('that began after the response resolves expectations of objects it does not contain', () => {
    const expectations = writtenOnce();
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.isPending('k')).toBe(false);
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
  });

  test('that began before the response does not resolve the expectation', () => {
    const expectations = createWriteExpectations();
    expectations.listStarted();
    expectations.begin('k');
    expectations.wrote('k', 'a', '2', false);
    expectations.end('k');
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.observe('k', 'a', '2')).toBe('own');
  });

  test('that contains the written object enqueues no sync', () => {
    const expectations = writtenOnce();
    expectations.listStarted();
    expect(expectations.observe('k', 'a', '2')).toBe('own');
    expect(expectations.listCompleted()).toEqual([]);
  });

  test.each([
    [true, false],
    [false, true],
  ])('during a write, with the write shown: %s, makes a sync due: %s', (shown, due) => {
    const expectations = createWriteExpectations();
    expectations.begin('k');
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
    expectations.wrote('k', 'a', '2', shown);
    expect(expectations.end('k')).toBe(due);
  });
});
