import { crc32 } from 'node:zlib';

/*
 * A file consists of a line of text with its kind and format version, and of frames. A batch consists of one or more frames and is valid only as a
 * whole. A frame has a header of 24 bytes, little-endian, and a payload:
 *
 *   magic (4) | number of the batch in the file, from 1 (4) | 1 in the last frame of a batch, else 0 (4)
 *   length of the payload (4) | CRC-32 of the payload (4) | CRC-32 of the 20 bytes before (4)
 *
 * The payload is UTF-8 text. The magic contains a byte that never occurs in UTF-8, so no payload contains a frame.
 */

export interface FrameHeader {
  readonly batch: number;
  readonly isLast: boolean;
  /** Bytes of the payload. */
  readonly length: number;
  readonly checksum: number;
}

export const frameHeaderBytes = 24;
export const frameMagic: Buffer = Buffer.from([0xff, 0x6b, 0x65, 0x70]);

export function encodeFrame(payload: string, { batch, isLast }: Pick<FrameHeader, 'batch' | 'isLast'>): Buffer {
  const length = Buffer.byteLength(payload);
  const bytes = Buffer.allocUnsafe(frameHeaderBytes + length);
  bytes.write(payload, frameHeaderBytes, 'utf8');
  frameMagic.copy(bytes, 0);
  bytes.writeUInt32LE(batch, 4);
  bytes.writeUInt32LE(isLast ? 1 : 0, 8);
  bytes.writeUInt32LE(length, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(frameHeaderBytes)), 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  return bytes;
}

/** Decodes the header at the start of `bytes`; undefined if it is invalid. */
export function decodeFrameHeader(bytes: Buffer): FrameHeader | undefined {
  if (bytes.length < frameHeaderBytes || !bytes.subarray(0, 4).equals(frameMagic)) return undefined;
  if (crc32(bytes.subarray(0, 20)) !== bytes.readUInt32LE(20)) return undefined;
  return {
    batch: bytes.readUInt32LE(4),
    isLast: bytes.readUInt32LE(8) === 1,
    length: bytes.readUInt32LE(12),
    checksum: bytes.readUInt32LE(16),
  };
}

export const hasChecksum = (payload: Buffer, checksum: number): boolean => crc32(payload) === checksum;

/** The newest version of the format that this release reads, and the one that it writes. */
const formatVersion = 1;

export type FileKind = 'journal' | 'snapshot';

export const createFileHeader = (kind: FileKind): string => `kube-endpoints ${kind} ${formatVersion}\n`;

/** Parses the first line of a file. @returns the length of the line in bytes, or the problem */
export function parseFileHeader(bytes: Buffer, kind: FileKind): { readonly length: number } | { readonly problem: 'damaged' | 'newer' } {
  const [line, foundKind, version] = /^kube-endpoints (\w+) (\d+)\n/.exec(bytes.toString('latin1')) ?? [];
  if (line === undefined || foundKind !== kind) return { problem: 'damaged' };
  return Number(version) > formatVersion ? { problem: 'newer' } : { length: line.length };
}
