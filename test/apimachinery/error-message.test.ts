import { describe, expect, test } from 'vitest';
import { messageOf, redactSecrets } from '../../src/apimachinery/index.ts';

const throwingProxy = new Proxy({}, { get: () => raise(), getPrototypeOf: () => raise() });
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;
const selfContaining = new AggregateError([]);
selfContaining.errors.push(selfContaining, new Error('b'));

describe('messageOf', () => {
  test.each<[string, unknown, string]>([
    ['an error by its message', new Error('no quota'), 'no quota'],
    ['an error without a message by its code', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['an AggregateError by the messages of its errors', new AggregateError([new Error('a'), 'b', null]), 'a; b; null'],
    ['an AggregateError that contains itself', selfContaining, 'AggregateError; b'],
    ['an error without a message and code by its name', new RangeError(''), 'RangeError'],
    ['an error with an invalid name and code', Object.assign(new Error(''), { name: 7, code: 12 }), 'Error'],
    ['a text', 'no quota', 'no quota'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', function refuse() {}, 'a function refuse'],
    ['an object with a message', { code: 7, message: 'quota exceeded' }, 'quota exceeded'],
    ['an object with a code', { code: 'E_QUOTA' }, 'E_QUOTA'],
    ['any other object as JSON', { status: 503, left: [1] }, '{"status":503,"left":[1]}'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['an object whose toJSON returns undefined', { toJSON: () => undefined }, 'an object'],
    ['an object that refers to itself', cyclic, 'an error that cannot be read'],
    ['an object whose properties throw', throwingProxy, 'an error that cannot be read'],
    [
      'an error whose message getter throws',
      Object.defineProperty(new Error('x'), 'message', { get: raise }),
      'an error that cannot be read',
    ],
  ])('describes %s', (_, error, text) => {
    expect(messageOf(error)).toBe(text);
  });

  test('truncates long messages', () => {
    expect(messageOf(new Error('x'.repeat(10_000)))).toBe(`${'x'.repeat(4095)}…`);
    expect(messageOf({ text: 'x'.repeat(10_000) })).toMatch(/^\{"text":"x{190}…$/);
    expect(messageOf(new AggregateError(Array.from({ length: 50 }, (_, i) => String(i))))).toBe('0; 1; 2; 3; 4; 5; 6; 7; 8; 9');
  });
});

test.each([
  ['GET https://admin:s3cret@lb.example/a failed', 'GET https://…@lb.example/a failed'],
  ['redis://:s3cret@db:6379 failed', 'redis://…@db:6379 failed'],
  ['sent Authorization: Bearer abcdefgh.ijkl', 'sent Authorization: Bearer …'],
  ['GET /v1?access_token=abc&zone=b', 'GET /v1?access_token=…&zone=b'],
  [
    '{"url":"/v1","password":"s3cret","headers":{"authorization":"Basic YTpiYzpk"}}',
    '{"url":"/v1","password":"…","headers":{"authorization":"… …"}}',
  ],
  ['no token: set TOKEN, see https://lb.example:8443/help', 'no token: set TOKEN, see https://lb.example:8443/help'],
])('redactSecrets redacts secrets: %s', (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});

function raise(): never {
  throw new Error('it throws');
}
