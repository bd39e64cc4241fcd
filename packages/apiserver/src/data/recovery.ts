import { join } from 'node:path';
import type { SavedState, SavedWrite } from '../store/index.ts';
import { createDamageError, type ReadResult, readBatches } from './batches.ts';
import { DataError } from './errors.ts';
import { classifyFiles, fileNameOf } from './file-names.ts';
import { type DataFolder, replaceFile, writeAll } from './folder.ts';
import { createFileHeader, type FileKind } from './frames.ts';
import { createRecordDecoder, type SnapshotEnd } from './records.ts';

/** Where the next write goes. */
export interface JournalPosition {
  /** The number of the newest journal. */
  readonly number: number;
  /** The end of its last batch, in bytes. */
  readonly end: number;
  readonly batchCount: number;
  /** Bytes of all journals since the newest snapshot. */
  readonly journalBytes: number;
  readonly snapshotBytes: number;
}

export interface Recovered {
  /** Undefined for a new folder. */
  readonly saved: SavedState | undefined;
  readonly position: JournalPosition;
}

/**
 * Reads a folder, and prepares it for writing: creates the first journal of a new folder, cuts off an incomplete write, and removes files that are no
 * longer needed.
 *
 * @throws DataError if the folder is damaged, has other files, or was written by a newer release
 */
export async function recover(folder: DataFolder): Promise<Recovered> {
  const { journals, snapshots, temporary, foreign } = classifyFiles(await folder.list());
  if (journals.length === 0 && snapshots.length === 0) {
    if (foreign[0] !== undefined)
      throw new DataError(`${folder.path} contains ${foreign[0]}, which is not data of an API server: give a new or empty folder`);
    const end = await createJournalFile(folder, 1);
    return { saved: undefined, position: { number: 1, end, batchCount: 0, journalBytes: 0, snapshotBytes: 0 } };
  }
  const first = snapshots.at(-1) ?? 1;
  const last = Math.max(journals.at(-1) ?? 0, first);
  for (let number = first; number <= last; number++) {
    if (!journals.includes(number)) throw createMissingError(folder, fileNameOf('journal', number));
  }
  const recovered = await readAll(folder, { first, last, hasSnapshot: snapshots.length > 0 });
  const outdated = (['journal', 'snapshot'] as const).flatMap((kind) =>
    (kind === 'journal' ? journals : snapshots).filter((number) => number < first).map((number) => fileNameOf(kind, number)),
  );
  for (const name of [...outdated, ...temporary]) await folder.remove(name);
  return recovered;
}

/** Creates an empty journal. @returns its length in bytes */
export const createJournalFile = (folder: DataFolder, number: number): Promise<number> =>
  replaceFile(folder, fileNameOf('journal', number), async (file) => {
    const header = Buffer.from(createFileHeader('journal'));
    await writeAll(file, header, 0);
    return header.length;
  });

const createMissingError = ({ path }: DataFolder, name: string): DataError =>
  new DataError(`${join(path, name)} is missing: restore the folder from a backup`);

interface Range {
  readonly first: number;
  readonly last: number;
  readonly hasSnapshot: boolean;
}

async function readAll(folder: DataFolder, { first, last, hasSnapshot }: Range): Promise<Recovered> {
  const decode = createRecordDecoder();
  const snapshot = hasSnapshot ? await readSnapshot(folder, fileNameOf('snapshot', first), decode) : emptySnapshot;
  const writes: SavedWrite[] = [];
  let { revision, compacted } = snapshot.end;
  const results: NamedResult[] = [];
  for (let number = first; number <= last; number++) {
    const name = fileNameOf('journal', number);
    const incomplete = results.find(({ end, size }) => end < size);
    const result = await readBatches(folder, name, 'journal', (lines) => {
      if (incomplete) throw createIncompleteError(folder, incomplete);
      for (const record of lines.map(decode)) {
        if ('compacted' in record) compacted = Math.max(compacted, record.compacted);
        if (!('resource' in record)) continue;
        if (record.revision !== revision + 1) throw new RangeError(`expected revision ${revision + 1}, not ${record.revision}`);
        revision = record.revision;
        writes.push(record);
      }
    });
    results.push({ name, ...result });
  }
  await cutOff(folder, results);
  const { objects, end, bytes } = snapshot;
  return {
    saved: { revision: end.revision, compacted, objects, writes },
    position: {
      number: last,
      ...(results.at(-1) as ReadResult),
      journalBytes: results.reduce((sum, result) => sum + result.end, 0),
      snapshotBytes: bytes,
    },
  };
}

interface NamedResult extends ReadResult {
  readonly name: string;
}

/** A crash can leave only the last batch incomplete. */
const createIncompleteError = ({ path }: DataFolder, { name, end }: NamedResult): DataError =>
  createDamageError(join(path, name), end, 'an incomplete write, but later journals have writes');

/** Removes an incomplete batch at the end. */
async function cutOff(folder: DataFolder, results: readonly NamedResult[]): Promise<void> {
  for (const { name, end, size } of results) {
    if (end === size) continue;
    const file = await folder.open(name);
    try {
      await file.truncate(end);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

interface Snapshot {
  readonly objects: readonly SavedWrite[];
  readonly end: SnapshotEnd;
  readonly bytes: number;
}

/** The state of a new store: see `StoreOptions.revision`. */
const emptySnapshot: Snapshot = { objects: [], end: { revision: 1, compacted: 0, count: 0 }, bytes: 0 };

async function readSnapshot(folder: DataFolder, name: string, decode: ReturnType<typeof createRecordDecoder>): Promise<Snapshot> {
  const kind: FileKind = 'snapshot';
  const objects: SavedWrite[] = [];
  let end: SnapshotEnd | undefined;
  const result = await readBatches(folder, name, kind, (lines) => {
    for (const record of lines.map(decode)) {
      if ('resource' in record) objects.push(record);
      else if ('end' in record) end = record.end;
    }
  });
  const isComplete = result.end === result.size && end?.count === objects.length;
  if (!end || !isComplete)
    throw new DataError(`${join(folder.path, name)} is incomplete at byte ${result.end}: restore the folder from a backup`);
  // The log of writes before the snapshot is gone.
  return { objects, end: { ...end, compacted: Math.max(end.compacted, end.revision) }, bytes: result.size };
}
