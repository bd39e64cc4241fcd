import { expect, test } from 'vitest';
import {
  type ContentWriter,
  createBoolField,
  createDoubleField,
  createIntegerField,
  createMapWriter,
  createMessageWriter,
  createRepeatedField,
  createSingleField,
  createWrappingWriter,
  encode,
  writeText,
} from '../../src/openapi/protobuf.ts';

const encodeHex = (write: ContentWriter, value: unknown): string => Buffer.from(encode(write, value)).toString('hex');

test('integers are encoded as varints', () => {
  const writeIntegers = createMessageWriter({ a: createIntegerField(1), b: createIntegerField(16) });
  expect(encodeHex(writeIntegers, { a: 150 })).toBe('089601');
  expect(encodeHex(writeIntegers, { b: 1 })).toBe('800101');
  expect(encodeHex(writeIntegers, { a: 2 ** 40 })).toBe('08808080808020');
  expect(encodeHex(writeIntegers, { a: 0 })).toBe('0800');
  expect(encodeHex(writeIntegers, { a: 1.9 })).toBe('0801');
  expect(encodeHex(writeIntegers, { a: 1e300 })).toBe(encodeHex(writeIntegers, { a: Number.MAX_SAFE_INTEGER }));
});

test('strings, booleans and doubles are encoded', () => {
  expect(encodeHex(createMessageWriter({ t: createSingleField(2, writeText) }), { t: 'testing' })).toBe('120774657374696e67');
  expect(encodeHex(createMessageWriter({ t: createSingleField(2, writeText) }), { t: 'ä' })).toBe('1202c3a4');
  expect(encodeHex(createMessageWriter({ f: createBoolField(4), g: createBoolField(5) }), { f: true, g: false })).toBe('20012800');
  expect(encodeHex(createMessageWriter({ d: createDoubleField(1) }), { d: 1.5 })).toBe('09000000000000f83f');
});

test('nested messages, lists and maps are encoded', () => {
  const writeInner = createMessageWriter({ a: createIntegerField(1) });
  expect(encodeHex(createMessageWriter({ inner: createSingleField(3, writeInner) }), { inner: { a: 150 } })).toBe('1a03089601');
  expect(encodeHex(createMessageWriter({ each: createRepeatedField(4, writeInner) }), { each: [{ a: 1 }, { a: 2 }] })).toBe(
    '220208012202' + '0802',
  );
  expect(encodeHex(createWrappingWriter(1, writeInner), { a: 1 })).toBe('0a020801');
  // A map entry has its key in field 1 and its value in field 2.
  expect(encodeHex(createMapWriter(2, writeInner), { x: { a: 1 } })).toBe('12070a017812020801');
});

test('lengths over 127 are encoded in several bytes', () => {
  const longText = 'x'.repeat(300);
  expect(encodeHex(createMessageWriter({ t: createSingleField(1, writeText) }), { t: longText })).toBe(`0aac02${'78'.repeat(300)}`);
});

test('properties without a field are dropped or passed to the fallback', () => {
  expect(encodeHex(createMessageWriter({ a: createIntegerField(1) }), { toString: 1, a: 1, b: 2 })).toBe('0801');
  const writeWithFallback = createMessageWriter({ a: createIntegerField(1) }, (writer, name) => void writer.raw(Buffer.from(name)));
  expect(encodeHex(writeWithFallback, { ab: 1, a: 1 })).toBe('61620801');
});
