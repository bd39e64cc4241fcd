import { describe, expect, test } from 'vitest';
import { createWriteExpectations, type WriteExpectations } from '../../src/controllers/write-expectations.ts';

test('the first cache event of an own write is attributed to it', () => {
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

function createWithWrite(name = 'a'): WriteExpectations {
  const expectations = createWriteExpectations();
  expectations.begin('k');
  expectations.recordWrite('k', name, '2', false);
  expectations.end('k');
  return expectations;
}

test('a write after which a sync found nothing to write is reported as superseded, the next write as own', () => {
  const expectations = createWithWrite();
  expectations.supersede('k');
  expectations.supersede('unknown');
  expect(expectations.observe('k', 'a', '2')).toBe('superseded');
  expectations.begin('k');
  expectations.recordWrite('k', 'a', '3', false);
  expectations.end('k');
  expect(expectations.observe('k', 'a', '3')).toBe('own');
});

test('an expectation ends when the cache shows the write or it is abandoned', () => {
  const expectations = createWithWrite();
  expect([expectations.isPending('k'), expectations.isPending('other')]).toEqual([true, false]);
  expectations.observe('k', 'a', '2');
  expect(expectations.isPending('k')).toBe(false);
  const others = createWithWrite();
  others.abandon('k');
  others.abandon('other');
  expect(others.isPending('k')).toBe(false);
  expect(others.observe('k', 'a', '2')).toBe('other');
});

describe('createWriteExpectations during a list', () => {
  test('expects no write after a list that began after its response, even if the list lacks the object', () => {
    const expectations = createWithWrite();
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.isPending('k')).toBe(false);
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
  });

  test('expects a write after a list that began before its response', () => {
    const expectations = createWriteExpectations();
    expectations.listStarted();
    expectations.begin('k');
    expectations.recordWrite('k', 'a', '2', false);
    expectations.end('k');
    expect(expectations.listCompleted()).toEqual(['k']);
    expect(expectations.observe('k', 'a', '2')).toBe('own');
  });

  test('requires no sync if the list contains the written object', () => {
    const expectations = createWithWrite();
    expectations.listStarted();
    expect(expectations.observe('k', 'a', '2')).toBe('own');
    expect(expectations.listCompleted()).toEqual([]);
  });

  test.each([
    [true, false],
    [false, true],
  ])('requires a sync after a list during a write, with the write in the cache: %s, result: %s', (isCached, needsSync) => {
    const expectations = createWriteExpectations();
    expectations.begin('k');
    expectations.listStarted();
    expect(expectations.listCompleted()).toEqual([]);
    expectations.recordWrite('k', 'a', '2', isCached);
    expect(expectations.end('k')).toBe(needsSync);
  });
});
