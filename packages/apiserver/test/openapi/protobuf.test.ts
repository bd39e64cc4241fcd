import { expect, test } from 'vitest';
import { double, encode, flag, integer, many, mapped, message, one, text, type Write, wrapped } from '../../src/openapi/protobuf.ts';

const hex = (write: Write, value: unknown): string => Buffer.from(encode(write, value)).toString('hex');

test('integers are encoded as varints', () => {
  const counted = message({ a: integer(1), b: integer(16) });
  expect(hex(counted, { a: 150 })).toBe('089601');
  expect(hex(counted, { b: 1 })).toBe('800101');
  expect(hex(counted, { a: 2 ** 40 })).toBe('08808080808020');
  expect(hex(counted, { a: 0 })).toBe('0800');
  expect(hex(counted, { a: 1.9 })).toBe('0801');
  expect(hex(counted, { a: 1e300 })).toBe(hex(counted, { a: Number.MAX_SAFE_INTEGER }));
});

test('strings, booleans and doubles are encoded', () => {
  expect(hex(message({ t: one(2, text) }), { t: 'testing' })).toBe('120774657374696e67');
  expect(hex(message({ t: one(2, text) }), { t: 'ä' })).toBe('1202c3a4');
  expect(hex(message({ f: flag(4), g: flag(5) }), { f: true, g: false })).toBe('20012800');
  expect(hex(message({ d: double(1) }), { d: 1.5 })).toBe('09000000000000f83f');
});

test('nested messages, lists and maps are encoded', () => {
  const inner = message({ a: integer(1) });
  expect(hex(message({ inner: one(3, inner) }), { inner: { a: 150 } })).toBe('1a03089601');
  expect(hex(message({ each: many(4, inner) }), { each: [{ a: 1 }, { a: 2 }] })).toBe('220208012202' + '0802');
  expect(hex(wrapped(1, inner), { a: 1 })).toBe('0a020801');
  // A map entry has its key in field 1 and its value in field 2.
  expect(hex(mapped(2, inner), { x: { a: 1 } })).toBe('12070a017812020801');
});

test('lengths over 127 are encoded in several bytes', () => {
  const long = 'x'.repeat(300);
  expect(hex(message({ t: one(1, text) }), { t: long })).toBe(`0aac02${'78'.repeat(300)}`);
});

test('properties without a field are dropped or passed to the fallback', () => {
  expect(hex(message({ a: integer(1) }), { toString: 1, a: 1, b: 2 })).toBe('0801');
  const others = message({ a: integer(1) }, (writer, name) => void writer.raw(Buffer.from(name)));
  expect(hex(others, { ab: 1, a: 1 })).toBe('61620801');
});
