import type { Journal, SavedState, SavedWrite } from '../store/index.ts';
import { DataError, describeFileError } from './errors.ts';
import { classifyFiles, fileNameOf } from './file-names.ts';
import { type DataFile, type DataFolder, replaceFile, writeAll } from './folder.ts';
import { encodeFrame } from './frames.ts';
import { createWriteEncoder } from './records.ts';
import { createJournalFile, type JournalPosition } from './recovery.ts';
import { writeSnapshot } from './snapshot.ts';

export interface JournalOptions {
  readonly folder: DataFolder;
  readonly position: JournalPosition;
  /** The journals are compacted when they are larger than this and than the snapshot, in bytes. Default: 16 MiB. */
  readonly minCompactionBytes?: number;
  /** Called with the problem if a compaction fails. Writes go on, and a later compaction is tried. */
  readonly onProblem?: (message: string) => void;
}

export interface DataJournal extends Journal {
  /** Sets the function that captures the content of the store for snapshots. Before, nothing is compacted. */
  attach(capture: () => SavedState): void;
  /** Resolves when no compaction is running. */
  waitUntilCompacted(): Promise<void>;
  /** Stops a compaction and closes the files. Later writes are refused. */
  close(): Promise<void>;
}

interface State {
  readonly folder: DataFolder;
  readonly encode: (write: SavedWrite) => string;
  readonly minCompactionBytes: number;
  readonly onProblem: (message: string) => void;
  readonly closing: AbortController;
  file: DataFile;
  number: number;
  end: number;
  batchCount: number;
  journalBytes: number;
  snapshotBytes: number;
  /** Journals of at least this size are compacted. */
  compactionBytes: number;
  savedCompacted: number;
  /** True if the file may have bytes after `end`, of a batch that was refused. */
  hasRefusedBytes: boolean;
  capture?: () => SavedState;
  compaction?: Promise<void>;
}

/** Opens the newest journal for writing. @throws the error of node:fs */
export async function openJournal({
  folder,
  position,
  minCompactionBytes = 16 * 2 ** 20,
  onProblem = () => undefined,
}: JournalOptions): Promise<DataJournal> {
  const state: State = {
    folder,
    encode: createWriteEncoder(),
    minCompactionBytes,
    onProblem,
    closing: new AbortController(),
    file: await folder.open(fileNameOf('journal', position.number)),
    ...position,
    compactionBytes: Math.max(minCompactionBytes, position.snapshotBytes),
    savedCompacted: 0,
    hasRefusedBytes: false,
  };
  return {
    save: (writes, compacted) => save(state, writes, compacted),
    attach(capture) {
      state.capture = capture;
    },
    waitUntilCompacted: async () => state.compaction,
    async close() {
      state.closing.abort(new DataError('the API server is closed'));
      await state.compaction;
      await state.file.close();
    },
  };
}

/** Maximum characters of a frame, unless one write alone is larger. */
const maxFrameCharacters = 2 ** 20;

async function save(state: State, writes: readonly SavedWrite[], compacted: number): Promise<void> {
  state.closing.signal.throwIfAborted();
  const lines = writes.map(state.encode);
  if (compacted > state.savedCompacted) lines.push(JSON.stringify({ compacted }));
  if (lines.length === 0) return;
  try {
    await removeRefusedBytes(state);
    if (isCompactionDue(state)) await startCompaction(state);
    await appendBatch(state, lines);
  } catch (error) {
    throw new Error(`${state.folder.path}: ${describeFileError(error)}`, { cause: error });
  }
  state.savedCompacted = Math.max(state.savedCompacted, compacted);
}

/** Cuts off the bytes of a refused batch, so that it cannot become valid later. */
async function removeRefusedBytes(state: State): Promise<void> {
  if (!state.hasRefusedBytes) return;
  await state.file.truncate(state.end);
  await state.file.sync();
  state.hasRefusedBytes = false;
}

async function appendBatch(state: State, lines: readonly string[]): Promise<void> {
  const { file } = state;
  let position = state.end;
  state.hasRefusedBytes = true;
  try {
    for (const frame of encodeBatch(lines, state.batchCount + 1)) {
      await writeAll(file, frame, position);
      position += frame.length;
    }
    await file.sync();
  } catch (error) {
    // Frees the space now. The next call repeats this and makes sure that it is on the disk.
    await file.truncate(state.end).catch(() => undefined);
    throw error;
  }
  state.hasRefusedBytes = false;
  state.journalBytes += position - state.end;
  state.end = position;
  state.batchCount += 1;
}

function* encodeBatch(lines: readonly string[], batch: number): Generator<Buffer> {
  let text = '';
  for (const line of lines) {
    if (text !== '' && text.length + line.length > maxFrameCharacters) {
      yield encodeFrame(text, { batch, isLast: false });
      text = '';
    }
    text += `${line}\n`;
  }
  yield encodeFrame(text, { batch, isLast: true });
}

const isCompactionDue = ({ capture, compaction, journalBytes, compactionBytes }: State): boolean =>
  capture !== undefined && compaction === undefined && journalBytes >= compactionBytes;

/**
 * Directs further writes to a new journal, and starts to write a snapshot of the state before them. Called between two batches, so that the
 * state of the store is that of all journals so far.
 */
async function startCompaction(state: State): Promise<void> {
  const { folder, journalBytes } = state;
  const number = state.number + 1;
  const captured = (state.capture as () => SavedState)();
  try {
    const end = await createJournalFile(folder, number);
    const file = await folder.open(fileNameOf('journal', number));
    // The content of the old file is on the disk already.
    await state.file.close().catch(() => undefined);
    Object.assign(state, { file, number, end, batchCount: 0, journalBytes: journalBytes + end });
  } catch (error) {
    postponeCompaction(state, error);
    return;
  }
  state.compaction = compact(state, captured, { number, journalBytes }).finally(() => {
    delete state.compaction;
  });
}

/** Writes the snapshot, then removes the journals that it replaces. Never rejects. */
async function compact(state: State, captured: SavedState, before: Pick<State, 'journalBytes' | 'number'>): Promise<void> {
  const { folder, closing } = state;
  try {
    const name = fileNameOf('snapshot', before.number);
    state.snapshotBytes = await replaceFile(folder, name, (file) => writeSnapshot(file, captured, closing.signal));
    state.journalBytes -= before.journalBytes;
    state.compactionBytes = Math.max(state.minCompactionBytes, state.snapshotBytes);
    const { journals, snapshots } = classifyFiles(await folder.list());
    for (const number of journals) if (number < before.number) await folder.remove(fileNameOf('journal', number));
    for (const number of snapshots) if (number < before.number) await folder.remove(fileNameOf('snapshot', number));
  } catch (error) {
    if (!closing.signal.aborted) postponeCompaction(state, error);
  }
}

function postponeCompaction(state: State, error: unknown): void {
  state.compactionBytes = state.journalBytes + state.minCompactionBytes;
  state.onProblem(`${state.folder.path} cannot be compacted and grows until a later attempt succeeds: ${describeFileError(error)}`);
}
