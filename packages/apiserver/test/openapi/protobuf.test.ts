import { expect, test } from 'vitest';
import {
  double,
  encode,
  flag,
  integer,
  message,
  repeated,
  single,
  type Write,
  wrap,
  writeMap,
  writeText,
} from '../../src/openapi/protobuf.ts';

const hex = (write: Write, value: unknown): string => Buffer.from(encode(write, value)).toString('hex');

test('integers are encoded as varints', () => {
  const writeIntegers = message({ a: integer(1), b: integer(16) });
  expect(hex(writeIntegers, { a: 150 })).toBe('089601');
  expect(hex(writeIntegers, { b: 1 })).toBe('800101');
  expect(hex(writeIntegers, { a: 2 ** 40 })).toBe('08808080808020');
  expect(hex(writeIntegers, { a: 0 })).toBe('0800');
  expect(hex(writeIntegers, { a: 1.9 })).toBe('0801');
  expect(hex(writeIntegers, { a: 1e300 })).toBe(hex(writeIntegers, { a: Number.MAX_SAFE_INTEGER }));
});

test('strings, booleans and doubles are encoded', () => {
  expect(hex(message({ t: single(2, writeText) }), { t: 'testing' })).toBe('120774657374696e67');
  expect(hex(message({ t: single(2, writeText) }), { t: 'ä' })).toBe('1202c3a4');
  expect(hex(message({ f: flag(4), g: flag(5) }), { f: true, g: false })).toBe('20012800');
  expect(hex(message({ d: double(1) }), { d: 1.5 })).toBe('09000000000000f83f');
});

test('nested messages, lists and maps are encoded', () => {
  const writeInner = message({ a: integer(1) });
  expect(hex(message({ inner: single(3, writeInner) }), { inner: { a: 150 } })).toBe('1a03089601');
  expect(hex(message({ each: repeated(4, writeInner) }), { each: [{ a: 1 }, { a: 2 }] })).toBe('220208012202' + '0802');
  expect(hex(wrap(1, writeInner), { a: 1 })).toBe('0a020801');
  // A map entry has its key in field 1 and its value in field 2.
  expect(hex(writeMap(2, writeInner), { x: { a: 1 } })).toBe('12070a017812020801');
});

test('lengths over 127 are encoded in several bytes', () => {
  const longText = 'x'.repeat(300);
  expect(hex(message({ t: single(1, writeText) }), { t: longText })).toBe(`0aac02${'78'.repeat(300)}`);
});

test('properties without a field are dropped or passed to the fallback', () => {
  expect(hex(message({ a: integer(1) }), { toString: 1, a: 1, b: 2 })).toBe('0801');
  const writeWithFallback = message({ a: integer(1) }, (writer, name) => void writer.raw(Buffer.from(name)));
  expect(hex(writeWithFallback, { ab: 1, a: 1 })).toBe('61620801');
});
