import { describe, expect, test } from 'vitest';
import { createPacketWriter, type PacketWriter } from '../../src/packet/writer.ts';
import { queryOf } from '../support.ts';

function begun(name = 'web.shop.svc.'): PacketWriter {
  const writer = createPacketWriter();
  const packet = queryOf('A', { name });
  writer.begin(packet, packet.length, name);
  return writer;
}

const written = (writer: PacketWriter, from: number): string => writer.toBuffer().subarray(from).toString('hex');

test('numbers are written in network byte order', () => {
  const writer = begun();
  const start = writer.length;
  writer.byte(1);
  writer.word(0x0203);
  writer.long(0xfffefdfc);
  writer.wordAt(start + 1, 0x0909);
  expect(written(writer, start)).toBe('010909fffefdfc');
});

describe('names', () => {
  test('are compressed to pointers to the question, its suffixes and earlier names', () => {
    const writer = begun();
    const start = writer.length;
    writer.name('web.shop.svc.', true);
    writer.name('db.shop.svc', true);
    writer.name('x.db.shop.svc.', true);
    writer.name('.', true);
    const db = (start + 2).toString(16).padStart(2, '0');
    expect(written(writer, start)).toBe(`c00c0264 62c010 0178c0${db} 00`.replaceAll(' ', ''));
  });

  test('are written in full if compression is not allowed, and can still be pointed to', () => {
    const writer = begun();
    const start = writer.length;
    writer.name('a.svc.', false);
    writer.name('a.svc.', true);
    expect(written(writer, start)).toBe(`016103737663 00 c0${start.toString(16)}`.replaceAll(' ', ''));
  });

  test('are not compressed if they differ in letter case', () => {
    const writer = begun();
    const start = writer.length;
    writer.name('SVC.', true);
    expect(written(writer, start)).toBe('0353564300');
  });

  test('do not point to names of the previous message', () => {
    const writer = begun();
    writer.name('db.', true);
    const packet = queryOf('A', { name: 'other.' });
    writer.begin(packet, packet.length, 'other.');
    writer.name('db.', true);
    expect(written(writer, packet.length)).toBe('02646200');
  });

  test('with escapes are written as the bytes they stand for', () => {
    const writer = begun();
    const start = writer.length;
    writer.name('a\\.b\\000.', true);
    expect(written(writer, start)).toBe('04612e620000');
  });

  test.each(['a..b.', `${'a'.repeat(64)}.`, `${'a.'.repeat(128)}`, 'ü.', `\\.${'.a'.repeat(127)}`])('throw if invalid: %j', (name) => {
    expect(() => begun().name(name, true)).toThrow(RangeError);
  });
});

test('cutting a message removes the names in the cut part from compression', () => {
  const writer = begun();
  const start = writer.length;
  writer.name('db.', true);
  writer.truncate(start);
  writer.word(0);
  writer.name('db.', true);
  writer.name('svc.', true);
  expect(written(writer, start)).toBe('000002646200c015');
});

test('a writer counts bytes beyond 64 KiB, and can cut them', () => {
  const writer = begun();
  const start = writer.length;
  writer.bytes(new Uint8Array(0x10000));
  expect(writer.length).toBe(start + 0x10000);
  writer.truncate(start);
  expect(writer.toBuffer()).toHaveLength(start);
});
