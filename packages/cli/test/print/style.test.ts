import { describe, expect, test } from 'vitest';
import { type Colour, createPainter, isColoured } from '../../src/print/style.ts';

describe('isColoured', () => {
  test.each<[description: string, flag: boolean, isTTY: boolean, env: Record<string, string>, colours: boolean]>([
    ['a terminal', true, true, {}, true],
    ['a pipe', true, false, {}, false],
    ['--no-color', false, true, {}, false],
    ['--no-color against FORCE_COLOR', false, true, { FORCE_COLOR: '1' }, false],
    ['NO_COLOR', true, true, { NO_COLOR: '1' }, false],
    ['NO_COLOR=0', true, true, { NO_COLOR: '0' }, false],
    ['an empty NO_COLOR, which counts as unset', true, true, { NO_COLOR: '' }, true],
    ['NO_COLOR against FORCE_COLOR', true, false, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['FORCE_COLOR into a pipe', true, false, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=true', true, false, { FORCE_COLOR: 'true' }, true],
    ['FORCE_COLOR on a dumb terminal', true, true, { FORCE_COLOR: '3', TERM: 'dumb' }, true],
    ['FORCE_COLOR=0', true, true, { FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR=false', true, true, { FORCE_COLOR: 'false' }, false],
    ['a dumb terminal', true, true, { TERM: 'dumb' }, false],
    ['another terminal', true, true, { TERM: 'xterm-256color' }, true],
    ['a pipe with TERM', true, false, { TERM: 'xterm' }, false],
  ])('with %s (flag %s, isTTY %s, environment %j) returns %s', (_, flag, isTTY, env, colours) => {
    expect(isColoured(flag, isTTY, env)).toBe(colours);
  });
});

describe('the painter', () => {
  test.each<[Colour, number]>([
    ['red', 31],
    ['green', 32],
    ['yellow', 33],
    ['cyan', 36],
    ['bold', 1],
    ['dim', 2],
  ])('switches %s on and off', (colour, code) => {
    expect(createPainter(true)('x', colour)).toBe(`\u001b[${code}mx\u001b[0m`);
    expect(createPainter(false)('x', colour)).toBe('x');
  });

  test('returns text without a colour, and empty text, unchanged', () => {
    expect(createPainter(true)('', 'red')).toBe('');
    expect(createPainter(true)('x', undefined)).toBe('x');
  });
});
