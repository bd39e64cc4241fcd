import { join } from 'node:path';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { DataError } from './errors.ts';
import type { DataFile, DataFolder } from './folder.ts';
import {
  decodeFrameHeader,
  type FileKind,
  type FrameHeader,
  frameHeaderBytes,
  frameMagic,
  hasChecksum,
  parseFileHeader,
} from './frames.ts';

export interface ReadResult {
  /** The end of the last complete batch, in bytes. Incomplete data may follow. */
  readonly end: number;
  readonly size: number;
  readonly batchCount: number;
}

/**
 * Reads the complete batches of a file. An incomplete batch at the end is the result of a crash, and its writes were not acknowledged.
 * @param onBatch gets the lines of each batch; an error that it throws is reported as damage
 * @throws DataError if the file is damaged elsewhere, or was written by a newer release
 */
export async function readBatches(
  folder: DataFolder,
  name: string,
  kind: FileKind,
  onBatch: (lines: readonly string[]) => void,
): Promise<ReadResult> {
  const path = join(folder.path, name);
  const file = await folder.open(name);
  try {
    const size = await file.size();
    const bytes = createBlockReader(file, size);
    let position = await readFileHeader(bytes, kind, path);
    let batchCount = 0;
    for (let batch = await readBatch(bytes, position, 1); batch; batch = await readBatch(bytes, position, batchCount + 1)) {
      try {
        onBatch(batch.lines);
      } catch (error) {
        throw error instanceof DataError ? error : createDamageError(path, position, messageOf(error));
      }
      position = batch.end;
      batchCount += 1;
    }
    const nextIntact = await findFrameAfter(bytes, position, batchCount + 1);
    if (nextIntact !== undefined) throw createDamageError(path, position, `a complete write follows at byte ${nextIntact}`);
    return { end: position, size, batchCount };
  } finally {
    await file.close();
  }
}

export const createDamageError = (path: string, position: number, problem: string): DataError =>
  new DataError(
    `${path} is damaged at byte ${position} (${problem}): restore the folder from a backup. Or, to lose all writes from there on, remove the ` +
      `journals with a higher number and run "truncate --size=${position} ${path}"`,
  );

async function readFileHeader(bytes: BlockReader, kind: FileKind, path: string): Promise<number> {
  const header = parseFileHeader(await bytes.read(0, 64), kind);
  if ('length' in header) return header.length;
  if (header.problem === 'newer') throw new DataError(`${path} was written by a newer release: use that release, or another folder`);
  throw new DataError(
    `${path} is damaged at byte 0 (its first line does not say "kube-endpoints ${kind}"): restore the folder from a backup`,
  );
}

interface Batch {
  readonly lines: readonly string[];
  readonly end: number;
}

/** Returns undefined if no complete batch with this number begins at the position. */
async function readBatch(bytes: BlockReader, begin: number, number: number): Promise<Batch | undefined> {
  const lines: string[] = [];
  for (let position = begin; ; ) {
    const frame = await readFrame(bytes, position);
    if (frame?.batch !== number) return undefined;
    // The payload is empty if a batch has no lines.
    for (const line of frame.payload.toString('utf8').split('\n')) if (line !== '') lines.push(line);
    position += frameHeaderBytes + frame.length;
    if (frame.isLast) return { lines, end: position };
  }
}

async function readFrame(bytes: BlockReader, position: number): Promise<(FrameHeader & { readonly payload: Buffer }) | undefined> {
  const header = decodeFrameHeader(await bytes.read(position, frameHeaderBytes));
  if (!header || position + frameHeaderBytes + header.length > bytes.size) return undefined;
  const payload = await bytes.read(position + frameHeaderBytes, header.length);
  return hasChecksum(payload, header.checksum) ? { ...header, payload } : undefined;
}

/**
 * Returns the position of an intact frame of a later batch, if any. A batch is written only after the one before it is on the disk, so such
 * a frame proves that the data before it was damaged later.
 */
async function findFrameAfter(bytes: BlockReader, begin: number, batch: number): Promise<number | undefined> {
  for (let blockStart = begin; blockStart < bytes.size; blockStart += blockBytes) {
    // A magic may cross the end of a block.
    const block = await bytes.read(blockStart, blockBytes + frameMagic.length - 1);
    for (let index = block.indexOf(frameMagic); index >= 0; index = block.indexOf(frameMagic, index + 1)) {
      const frame = await readFrame(bytes, blockStart + index);
      if (frame && frame.batch > batch) return blockStart + index;
    }
  }
  return undefined;
}

interface BlockReader {
  readonly size: number;
  /** Returns fewer bytes only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
}

const blockBytes = 2 ** 20;

/** Reads a file in blocks, so that many small reads need few calls. */
function createBlockReader(file: DataFile, size: number): BlockReader {
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + length, size);
      if (position < blockStart || end > blockStart + block.length) {
        block = await file.read(position, Math.max(blockBytes, length));
        blockStart = position;
      }
      return block.subarray(position - blockStart, end - blockStart);
    },
  };
}
