import { describe, expect, test } from 'vitest';
import { createPacketWriter, type PacketWriter } from '../../src/packet/writer.ts';
import { encodeQuery } from '../support.ts';

function beginMessage(name = 'web.shop.svc.'): PacketWriter {
  const writer = createPacketWriter();
  const packet = encodeQuery('A', { name });
  writer.begin(packet, packet.length, name);
  return writer;
}

const hexFrom = (writer: PacketWriter, from: number): string => writer.toBuffer().subarray(from).toString('hex');

test('createPacketWriter writes numbers in network byte order', () => {
  const writer = beginMessage();
  const start = writer.length;
  writer.writeUint8(1);
  writer.writeUint16(0x0203);
  writer.writeUint32(0xfffefdfc);
  writer.overwriteUint16(start + 1, 0x0909);
  expect(hexFrom(writer, start)).toBe('010909fffefdfc');
});

describe('names written by createPacketWriter', () => {
  test('are compressed to pointers to the question, its suffixes and earlier names', () => {
    const writer = beginMessage();
    const start = writer.length;
    writer.writeName('web.shop.svc.', true);
    writer.writeName('db.shop.svc', true);
    writer.writeName('x.db.shop.svc.', true);
    writer.writeName('.', true);
    const dbOffset = (start + 2).toString(16).padStart(2, '0');
    expect(hexFrom(writer, start)).toBe(`c00c0264 62c010 0178c0${dbOffset} 00`.replaceAll(' ', ''));
  });

  test('are written in full if compression is not allowed, and later names can point to them', () => {
    const writer = beginMessage();
    const start = writer.length;
    writer.writeName('a.svc.', false);
    writer.writeName('a.svc.', true);
    expect(hexFrom(writer, start)).toBe(`016103737663 00 c0${start.toString(16)}`.replaceAll(' ', ''));
  });

  test('are not compressed if they differ in letter case', () => {
    const writer = beginMessage();
    const start = writer.length;
    writer.writeName('SVC.', true);
    expect(hexFrom(writer, start)).toBe('0353564300');
  });

  test('do not point to names of the previous message', () => {
    const writer = beginMessage();
    writer.writeName('db.', true);
    const packet = encodeQuery('A', { name: 'other.' });
    writer.begin(packet, packet.length, 'other.');
    writer.writeName('db.', true);
    expect(hexFrom(writer, packet.length)).toBe('02646200');
  });

  test('are unescaped', () => {
    const writer = beginMessage();
    const start = writer.length;
    writer.writeName('a\\.b\\000.', true);
    expect(hexFrom(writer, start)).toBe('04612e620000');
  });

  test.each(['a..b.', `${'a'.repeat(64)}.`, `${'a.'.repeat(128)}`, 'ü.', `\\.${'.a'.repeat(127)}`])(
    'throw a RangeError if invalid: %j',
    (name) => {
      expect(() => beginMessage().writeName(name, true)).toThrow(RangeError);
    },
  );
});

test('truncate removes the names in the discarded part from compression', () => {
  const writer = beginMessage();
  const start = writer.length;
  writer.writeName('db.', true);
  writer.truncate(start);
  writer.writeUint16(0);
  writer.writeName('db.', true);
  writer.writeName('svc.', true);
  expect(hexFrom(writer, start)).toBe('000002646200c015');
});

test('createPacketWriter counts bytes beyond 64 KiB, and can discard them', () => {
  const writer = beginMessage();
  const start = writer.length;
  writer.writeBytes(new Uint8Array(0x10000));
  expect(writer.length).toBe(start + 0x10000);
  writer.truncate(start);
  expect(writer.toBuffer()).toHaveLength(start);
});
