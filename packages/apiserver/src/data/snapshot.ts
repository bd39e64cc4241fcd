import type { SavedState, SavedWrite } from '../store/index.ts';
import { type DataFile, writeAll } from './folder.ts';
import { createFileHeader, encodeFrame } from './frames.ts';
import { createWriteEncoder, type SnapshotEnd } from './records.ts';

/** Bytes that are encoded between two turns of the event loop: about a millisecond of work. */
const chunkCharacters = 128 * 1024;
/** Bytes that are written between two calls of sync, so that a sync of the journal never waits for much data of the snapshot. */
const syncBytes = 4 * 2 ** 20;

/**
 * Writes a snapshot in small steps, between which requests are served.
 * @param signal stops the work; the promise then rejects with its reason
 * @returns the size of the file in bytes
 */
export async function writeSnapshot(file: DataFile, { revision, compacted, objects }: SavedState, signal: AbortSignal): Promise<number> {
  let position = 0;
  let syncedPosition = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    signal.throwIfAborted();
    await writeAll(file, bytes, position);
    position += bytes.length;
    if (position - syncedPosition < syncBytes) return;
    await file.sync();
    syncedPosition = position;
  };
  await write(Buffer.from(createFileHeader('snapshot')));
  let batch = 0;
  let count = 0;
  for (const chunk of encodeChunks(objects)) {
    batch += 1;
    count += chunk.count;
    await write(encodeFrame(chunk.text, { batch, isLast: true }));
  }
  const end: SnapshotEnd = { revision, compacted, count };
  await write(encodeFrame(JSON.stringify({ end }), { batch: batch + 1, isLast: true }));
  return position;
}

interface Chunk {
  readonly text: string;
  readonly count: number;
}

function* encodeChunks(objects: Iterable<SavedWrite>): Generator<Chunk> {
  const encode = createWriteEncoder();
  let text = '';
  let count = 0;
  for (const write of objects) {
    text += `${encode(write)}\n`;
    count += 1;
    if (text.length < chunkCharacters) continue;
    yield { text, count };
    text = '';
    count = 0;
  }
  if (count > 0) yield { text, count };
}
