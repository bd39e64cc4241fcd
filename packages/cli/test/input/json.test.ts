import { describe, expect, test } from 'vitest';
import { fc } from '../../../../test/support/property.ts';
import { findJSONError, parseJSON } from '../../src/input/json.ts';

describe('the position of a JSON syntax error', () => {
  test.each([
    ['{"a":}', 5, 'a value'],
    ['{"a":1', 6, '"," or "}"'],
    ['{"a" 1}', 5, '":"'],
    ['{"a":1,}', 7, 'a key in double quotes'],
    ['{a:1}', 1, 'a key in double quotes or "}"'],
    ['[1,]', 3, 'a value'],
    ['[1 2]', 3, '"," or "]"'],
    ['[', 1, 'a value or "]"'],
    ['{"a":1}}', 7, 'nothing more'],
    ['{"a":01}', 5, 'a value'],
    ['{"a":tru}', 5, 'a value'],
    ['{"a":truest}', 5, 'a value'],
    ['["\\x"]', 1, 'a value or "]"'],
    ['["a\nb"]', 1, 'a value or "]"'],
    ["['a']", 1, 'a value or "]"'],
    ['[1.e3]', 1, 'a value or "]"'],
    ['', 0, 'a value'],
  ])('is found in %j', (text, offset, expected) => {
    expect(findJSONError(text)).toEqual({ offset, expected });
    expect(parseJSON(text)).toMatchObject({ error: expect.stringMatching(/^not JSON: /), offset });
  });

  test('is the end of valid JSON, which parses', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJSONError(text)).toEqual({ offset: text.trimEnd().length, expected: 'nothing more' });
        expect(parseJSON(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test('is always found in truncated JSON', () => {
    fc.assert(
      fc.property(
        fc.json().map((text) => `[${text}]`),
        fc.nat(),
        (text, position) => {
          expect(parseJSON(text.slice(0, position % text.length)).error).toMatch(/^not JSON: /);
        },
      ),
    );
  });
});
