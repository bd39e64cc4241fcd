import { describe, expect, it } from 'vitest';
import { createProblem, quoteOrNone, reason, segment } from '../../src/explain/reason.ts';
import { profileFor } from '../../src/versions/index.ts';

describe('quoted', () => {
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

describe('segment', () => {
  it.each([
    ['app', '.app'],
    ['_a1', '._a1'],
    ['a.b', '["a.b"]'],
    ['1a', '["1a"]'],
    ['a-b', '["a-b"]'],
    ['', '[""]'],
    ['a"b', '["a\\"b"]'],
  ])('formats the key %j as %s', (key, expected) => {
    expect(segment(key)).toBe(expected);
  });
});

describe('reason', () => {
  it('fills in the values, and keeps placeholders without a value', () => {
    const values = { actual: 'A', wanted: 1 };
    expect(reason('PodInOtherNamespace', 'p', profileFor(), values)).toEqual({
      code: 'PodInOtherNamespace',
      message: 'The pod is in namespace A, the Service in namespace 1.',
      path: 'p',
    });
    expect(reason('PodInOtherNamespace', 'p', profileFor()).message).toBe(
      'The pod is in namespace {actual}, the Service in namespace {wanted}.',
    );
  });

  it('treats values as plain text', () => {
    expect(reason('PodInOtherNamespace', 'p', profileFor(), { actual: '$& {wanted}', wanted: 'w' }).message).toBe(
      'The pod is in namespace $& {wanted}, the Service in namespace w.',
    );
  });

  it('contains the releases of its rule', () => {
    expect(reason('PodTerminal', 'p', profileFor('1.23'), { phase: 'Failed' })).toMatchObject({ since: '1.23.8' });
    expect(reason('PodFinished', 'p', profileFor('1.22.3'))).toMatchObject({ until: '1.22.10' });
    expect(reason('PodReady', 'p', profileFor())).not.toHaveProperty('since');
  });
});

it('problem contains the severity of the table', () => {
  expect(createProblem('NoPodReady', 'p', profileFor())).toEqual({
    severity: 'error',
    code: 'NoPodReady',
    message: "None of the Service's endpoints is ready.",
    path: 'p',
  });
});
