import { expect, test } from 'vitest';
import { matches, readAccept, wantsPretty } from '../../src/http/accept.ts';

test('clauses come by quality, and what has no asterisk before what has', () => {
  const types = (header: string): readonly string[] => readAccept(header).map(({ type }) => type);
  expect(types('*/*, application/*, text/html;q=0.5, application/json')).toEqual(['application/json', 'application/*', '*/*', 'text/html']);
  expect(types('a/b;q=0.1, c/d;q=nonsense, e/f;q=0.9')).toEqual(['e/f', 'a/b', 'c/d']);
});

test('media types match themselves and what stands for them', () => {
  const json = 'application/json';
  expect(readAccept('application/json, application/*, */*').every((clause) => matches(clause, json))).toBe(true);
  expect(readAccept('text/*, application/jsonp, */json').some((clause) => matches(clause, json))).toBe(false);
});

test('people get indented answers, and whoever asks', () => {
  const none = new URLSearchParams();
  expect(wantsPretty(none, 'curl/8.5.0')).toBe(true);
  expect(wantsPretty(none, 'Mozilla/5.0 (X11)')).toBe(true);
  expect(wantsPretty(none, 'kubectl/v1.36.3')).toBe(false);
  expect(wantsPretty(new URLSearchParams('pretty=true'), undefined)).toBe(true);
  expect(wantsPretty(new URLSearchParams('pretty=0'), 'curl/8.5.0')).toBe(false);
  expect(wantsPretty(new URLSearchParams('pretty=yes'), 'curl/8.5.0')).toBe(false);
});
