import { describe, expect, it } from 'vitest';
import { createProblem, createReason, formatSegment, quoteOrNone } from '../../src/explain/reason.ts';
import { profileFor } from '../../src/versions/index.ts';

describe('quoteOrNone', () => {
  it.each([
    ['x', '"x"'],
    ['a"b', '"a\\"b"'],
    ['', 'none'],
    [null, 'none'],
    [undefined, 'none'],
  ])('formats %j as %s', (text, expected) => {
    expect(quoteOrNone(text)).toBe(expected);
  });
});

describe('formatSegment', () => {
  it.each([
    ['app', '.app'],
    ['_a1', '._a1'],
    ['a.b', '["a.b"]'],
    ['1a', '["1a"]'],
    ['a-b', '["a-b"]'],
    ['', '[""]'],
    ['a"b', '["a\\"b"]'],
  ])('formats the key %j as %s', (key, expected) => {
    expect(formatSegment(key)).toBe(expected);
  });
});

describe('createReason', () => {
  it('fills in the values, and keeps placeholders without a value', () => {
    const values = { actual: 'A', wanted: 1 };
    expect(createReason('PodInOtherNamespace', 'p', profileFor(), values)).toEqual({
      code: 'PodInOtherNamespace',
      message: 'The pod is in namespace A, the Service in namespace 1.',
      path: 'p',
    });
    expect(createReason('PodInOtherNamespace', 'p', profileFor()).message).toBe(
      'The pod is in namespace {actual}, the Service in namespace {wanted}.',
    );
  });

  it('treats values as plain text', () => {
    expect(createReason('PodInOtherNamespace', 'p', profileFor(), { actual: '$& {wanted}', wanted: 'w' }).message).toBe(
      'The pod is in namespace $& {wanted}, the Service in namespace w.',
    );
  });

  it('adds the releases of the rule', () => {
    expect(createReason('PodTerminal', 'p', profileFor('1.23'), { phase: 'Failed' })).toMatchObject({ since: '1.23.8' });
    expect(createReason('PodFinished', 'p', profileFor('1.22.3'))).toMatchObject({ until: '1.22.10' });
    expect(createReason('PodReady', 'p', profileFor())).not.toHaveProperty('since');
  });
});

it('createProblem adds the severity of the table', () => {
  expect(createProblem('NoPodReady', 'p', profileFor())).toEqual({
    severity: 'error',
    code: 'NoPodReady',
    message: "None of the Service's endpoints is ready.",
    path: 'p',
  });
});
