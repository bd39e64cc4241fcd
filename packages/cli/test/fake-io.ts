import type { SteadyClock } from 'kube-endpoints/port';
import { type IO, main } from '../src/index.ts';

/** A fake environment for a command, without disk, terminal or process. */
export interface FakeEnvironment {
  /** Contents by path, or an error code; directories follow from the paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array | { readonly code: string }>>;
  readonly stdin?: string | Iterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isStdinPiped?: boolean;
  /** The width of the terminal; without it, both outputs are pipes. */
  readonly terminalColumns?: number;
  /** By default, long-running commands are stopped at once. */
  readonly untilStopped?: () => Promise<void>;
  readonly clock?: SteadyClock;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line. */
export async function run(argv: readonly string[], environment: FakeEnvironment = {}): Promise<Outcome> {
  const outputs = { stdout: '', stderr: '' };
  const createOutput = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      outputs[stream] += text;
    },
    isTTY: environment.terminalColumns !== undefined,
    columns: environment.terminalColumns,
  });
  const io: IO = {
    stdin: chunksOf(environment.stdin ?? ''),
    isStdinPiped: environment.isStdinPiped ?? false,
    stdout: createOutput('stdout'),
    stderr: createOutput('stderr'),
    env: { HOME: '/no/such/home', ...environment.env },
    files: createFakeFiles(environment.files ?? {}),
    version: '9.8.7',
    ...(environment.clock && { clock: environment.clock }),
    untilStopped: environment.untilStopped ?? (() => Promise.resolve()),
  };
  const code = await main(argv, io);
  return { code, ...outputs };
}

/** Runs a command line given as text with words separated by spaces. */
export const runLine = (line: string, environment?: FakeEnvironment): Promise<Outcome> => run(line.split(' '), environment);

export function createFakeFiles(files: NonNullable<FakeEnvironment['files']>): IO['files'] {
  return {
    async *readFile(path) {
      const content = files[path];
      if (content === undefined) throw createError('ENOENT');
      if (typeof content === 'object' && 'code' in content) throw createError(content.code);
      yield* chunksOf(content);
    },
    async readDir(path) {
      if (files[path] !== undefined) return undefined;
      const base = path.endsWith('/') ? path : `${path}/`;
      const pathsBelow = Object.keys(files).filter((name) => name.startsWith(base));
      if (pathsBelow.length === 0) throw createError('ENOENT');
      const entries = new Map(
        pathsBelow.map((name) => name.slice(base.length).split('/')).map(([name, ...rest]) => [name as string, rest.length > 0]),
      );
      return [...entries].map(([name, isDirectory]) => ({ name, isDirectory })).reverse();
    },
  };
}

async function* chunksOf(content: string | Uint8Array | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield new TextEncoder().encode(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

const createError = (code: string): Error => Object.assign(new Error(code), { code });
