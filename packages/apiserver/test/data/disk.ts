import type { DataFile, DataFolder } from '../../src/data/index.ts';

/** A file operation, such as "write journal-00000001". */
export type Operation =
  `${'close' | 'create' | 'list' | 'open' | 'read' | 'remove' | 'rename' | 'size' | 'sync' | 'truncate' | 'write'} ${string}`;

/** What an operation does instead: fail, with or without effect; write only some bytes; or crash, after writing some bytes. */
export type Fault =
  | { readonly error: Error; readonly hasEffect?: boolean }
  | { readonly writtenBytes: number }
  | { readonly crash: number };

/** What happened to data that was not synced before a power failure. */
export type Loss =
  /** All of it is on the disk, as after the end of the process alone. */
  | 'none'
  /** None of it, neither content nor names. */
  | 'all'
  /** Only the content, not the names. */
  | 'names'
  /** Files have their size, but the content is zero. */
  | 'zeros';

export interface Disk {
  readonly folder: DataFolder;
  /** The number of operations so far. */
  readonly operationCount: number;
  readonly names: readonly string[];
  content(name: string): Buffer;
  /** Sets the content of a file, as on the disk. */
  put(name: string, content: Buffer): void;
  /** Sets the function that decides about faults. */
  inject(decide: (operation: Operation, index: number) => Fault | undefined): void;
  /** Copies the disk as it is after a crash. */
  afterCrash(loss?: Loss): Disk;
  totalBytes(): number;
}

interface StoredFile {
  content: Buffer;
  /** The content that a power failure cannot destroy. */
  synced: Buffer;
}

/** The operation never ends, because the process has ended. */
const never = new Promise<never>(() => undefined);

/** A folder in memory that can fail at every operation. */
export function createDisk(initial: ReadonlyMap<string, Buffer> = new Map()): Disk {
  const files = new Map<string, StoredFile>([...initial].map(([name, content]) => [name, { content, synced: content }]));
  const syncedNames = new Map(files);
  const operations = createOperations();
  return {
    folder: createFolder(files, syncedNames, operations),
    get operationCount() {
      return operations.count();
    },
    get names() {
      return [...files.keys()].sort();
    },
    content: (name) => requireFile(files, name).content,
    put: (name, content) => void files.set(name, { content, synced: content }),
    inject: operations.inject,
    afterCrash(loss = 'none') {
      const names = loss === 'none' || loss === 'zeros' ? files : syncedNames;
      return createDisk(new Map([...names].map(([name, file]) => [name, contentAfter(file, loss)])));
    },
    totalBytes: () => [...files.values()].reduce((sum, { content }) => sum + content.length, 0),
  };
}

interface Operations {
  count(): number;
  inject: Disk['inject'];
  /** Begins an operation. @returns its fault, if it has an effect nevertheless */
  begin(operation: Operation): Promise<Fault | undefined>;
  /** Ends an operation with its fault. */
  end(fault: Fault | undefined): Promise<never> | undefined;
  /** Performs an operation that is atomic: it crashes before or after it. */
  run<T>(operation: Operation, perform: () => T): Promise<T>;
}

function createOperations(): Operations {
  let count = 0;
  let hasCrashed = false;
  let decide: Parameters<Disk['inject']>[0] = () => undefined;
  const begin: Operations['begin'] = async (operation) => {
    if (hasCrashed) return never;
    count += 1;
    const fault = decide(operation, count);
    await undefined;
    if (fault && 'crash' in fault) hasCrashed = true;
    if (fault && 'error' in fault && !fault.hasEffect) throw fault.error;
    return fault;
  };
  const end: Operations['end'] = (fault) => {
    if (fault && 'error' in fault) throw fault.error;
    return fault && 'crash' in fault ? never : undefined;
  };
  return {
    count: () => count,
    inject(decideAboutFaults) {
      decide = decideAboutFaults;
    },
    begin,
    end,
    async run(operation, perform) {
      const fault = await begin(operation);
      if (fault && 'crash' in fault && fault.crash === 0) return never;
      const result = perform();
      await end(fault);
      return result;
    },
  };
}

function requireFile(files: ReadonlyMap<string, StoredFile>, name: string): StoredFile {
  const file = files.get(name);
  if (!file) throw createFileError('ENOENT');
  return file;
}

function createFolder(files: Map<string, StoredFile>, syncedNames: Map<string, StoredFile>, operations: Operations): DataFolder {
  const { run } = operations;
  const openFile = (name: string): DataFile => createFile(requireFile(files, name), name, operations);
  return {
    path: '/data',
    list: () => run('list .', () => [...files.keys()]),
    open: (name) => run(`open ${name}`, () => openFile(name)),
    create: (name) =>
      run(`create ${name}`, () => {
        files.set(name, { content: Buffer.alloc(0), synced: Buffer.alloc(0) });
        return openFile(name);
      }),
    rename: (from, to) =>
      run(`rename ${to}`, () => {
        files.set(to, requireFile(files, from));
        files.delete(from);
      }),
    remove: (name) => run(`remove ${name}`, () => void files.delete(name)),
    sync: () =>
      run('sync .', () => {
        syncedNames.clear();
        for (const [name, file] of files) syncedNames.set(name, file);
      }),
  };
}

function createFile(file: StoredFile, name: string, { begin, end, run }: Operations): DataFile {
  const resize = (length: number): void => {
    const content = Buffer.alloc(length);
    file.content.copy(content);
    file.content = content;
  };
  return {
    read: (position, length) => run(`read ${name}`, () => Buffer.from(file.content.subarray(position, position + length))),
    async write(bytes, position) {
      const fault = await begin(`write ${name}`);
      const count = Math.min(bytes.length, writtenBytesOf(fault, bytes.length));
      resize(Math.max(file.content.length, position + count));
      bytes.copy(file.content, position, 0, count);
      await end(fault);
      return count;
    },
    truncate: (length) => run(`truncate ${name}`, () => resize(length)),
    sync: () =>
      run(`sync ${name}`, () => {
        file.synced = Buffer.from(file.content);
      }),
    size: () => run(`size ${name}`, () => file.content.length),
    close: () => run(`close ${name}`, () => undefined),
  };
}

function contentAfter({ content, synced }: StoredFile, loss: Loss): Buffer {
  if (loss === 'none' || loss === 'names') return Buffer.from(content);
  if (loss === 'all') return Buffer.from(synced);
  const zeroed = Buffer.from(content);
  for (let index = 0; index < zeroed.length; index++) if (content[index] !== synced[index]) zeroed[index] = 0;
  return zeroed;
}

function writtenBytesOf(fault: Fault | undefined, length: number): number {
  if (!fault) return length;
  if ('writtenBytes' in fault) return fault.writtenBytes;
  return 'crash' in fault ? fault.crash : length;
}

export const createFileError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });
