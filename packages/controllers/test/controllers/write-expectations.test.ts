import { describe, expect, test } from 'vitest';
import { createWriteExpectations, type WriteExpectations } from '../../src/controllers/write-expectations.ts';

test('only the first cache event of a write by this replica counts as its own', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '2', false);
  expect(expectations.end('k')).toBe(false);
  expect(expectations.observe('k', 'a', '2')).toBe('own');
  expect(expectations.observe('k', 'a', '2')).toBe('other');
});

test('changes during a write are attributed when the write ends', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expect(expectations.observe('k', 'a', '2')).toBe('own');
  expectations.recordWrite('k', 'a', '2', true);
  expect(expectations.end('k')).toBe(false);
  expectations.begin('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
  expect(expectations.observe('k', 'a', '4')).toBe('own');
  expectations.recordWrite('k', 'a', '3', false);
  expect(expectations.end('k')).toBe(true);
  expect(expectations.observe('k', 'a', '3')).toBe('other');
});

test('a write without changes sets no expectation, and changes of other objects are attributed to other clients', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '1', true);
  expect(expectations.end('k')).toBe(false);
  expect(expectations.observe('k', 'a', '1')).toBe('other');
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '2', false);
  expectations.end('k');
  expect(expectations.observe('k', 'b', '2')).toBe('other');
  expect(expectations.observe('other', 'a', '2')).toBe('other');
  expect(expectations.observe('k', 'a', '2')).toBe('own');
});

test('the last of several writes to an object is expected', () => {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '2', false);
  expectations.recordWrite('k', 'a', '3', false);
  expectations.end('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
  expect(expectations.end('unknown')).toBe(false);
});

function createWithExpectedWrite(name = 'a'): WriteExpectations {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.recordWrite('k', name, '2', false);
  expectations.end('k');
  return expectations;
}

test('a write is superseded if a later sync has nothing to write; the next write is own', () => {
  const expectations = createWithExpectedWrite();
  expectations.supersede('k');
  expectations.supersede('unknown');
  expect(expectations.observe('k', 'a', '2')).toBe('superseded');
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '3', false);
  expectations.end('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
});

test('an expectation ends when the cache shows the write, or with abandon', () => {
  const expectations = createWithExpectedWrite();
  expect([expectations.isPending('k'), expectations.isPending('other')]).toEqual([true, false]);
  expectations.observe('k', 'a', '2');
  expect(expectations.isPending('k')).toBe(false);
  const abandonedExpectations = createWithExpectedWrite();
  abandonedExpectations.abandon('k');
  abandonedExpectations.abandon('other');
  expect(abandonedExpectations.isPending('k')).toBe(false);
  expect(abandonedExpectations.observe('k', 'a', '2')).toBe('other');
});

describe('createWriteExpectations during a list', () => {
  test('no longer expects a write if a list began after the response to the write, even if the object is not in the list', () => {
    const expectations = createWithExpectedWrite();
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.isPending('k')).toBe(false);
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
  });

  test('still expects a write if the list began before the response to the write', () => {
    const expectations = createWriteExpectations();
    expectations.listStarted();
    expectations.begin('k');
    expectations.recordWrite('k', 'a', '2', false);
    expectations.end('k');
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.observe('k', 'a', '2')).toBe('own');
  });

  test('requires no sync if the list contains the written object', () => {
    const expectations = createWithExpectedWrite();
    expectations.listStarted();
    expect(expectations.observe('k', 'a', '2')).toBe('own');
    expect(expectations.listCompleted()).toEqual([]);
  });

  test.each([
    ['no sync', 'shows', true],
    ['a sync', 'does not show', false],
  ])('requires %s if a list completes during a write, and the cache %s the write', (_sync, _shows, isCached) => {
    const expectations = createWriteExpectations();
    expectations.begin('k');
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
    expectations.recordWrite('k', 'a', '2', isCached);
    expect(expectations.end('k')).toBe(!isCached);
  });
});
