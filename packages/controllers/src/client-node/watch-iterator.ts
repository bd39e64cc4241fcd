import type { Readable } from 'node:stream';
import { ApiError, type Status, type WatchEvent } from 'kube-endpoints/port';
import { createError, createUnreadableError, type RequestLine } from './failures.ts';

export interface WatchIteratorOptions {
  readonly requestLine: RequestLine;
  readonly maxEventBytes: number;
  /** Number of buffered bytes above which the response is paused. */
  readonly maxBufferedBytes: number;
  /** Starts the watch. Later errors are passed to `failed`. */
  open(failed: (error: unknown) => void): Promise<Readable>;
  /** Closes the connection, or cancels the attempt to connect. */
  close(): void;
  /** Whether the caller has aborted the watch; then buffered events are discarded. */
  isAborted(): boolean;
}

/**
 * Iterates over the events of a watch. The request starts with the first `next`. Reads only a little ahead, so that a faster server has to
 * wait. Each event is parsed when it is returned.
 */
export function createWatchIterator(options: WatchIteratorOptions): AsyncIterator<WatchEvent, undefined> {
  const state: State = { lines: createLines(options.maxEventBytes), waiting: [], begun: false };
  return {
    next() {
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<WatchEvent, undefined>>();
      state.waiting.push({ resolve, reject });
      if (state.begun) deliver(options, state);
      else void begin(options, state);
      return promise;
    },
    async return() {
      state.begun = true;
      end(options, state, {});
      return done;
    },
  };
}

interface State {
  readonly lines: Lines;
  /** Calls of `next` that wait for an event. */
  readonly waiting: { resolve(result: IteratorResult<WatchEvent, undefined>): void; reject(error: unknown): void }[];
  begun: boolean;
  response?: Readable;
  /** Set when no more data arrives; buffered lines are still returned. An error is reported once. */
  end?: { readonly error?: unknown };
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

async function begin(options: WatchIteratorOptions, state: State): Promise<void> {
  const { requestLine, maxEventBytes } = options;
  state.begun = true;
  const failed = (error: unknown): void => {
    if (options.isAborted()) end(options, state, { error });
    else finish(options, state, { error });
  };
  try {
    const response = await options.open(failed);
    if (state.end) return;
    state.response = response;
    response.on('data', (chunk: Buffer) => {
      if (state.end) return;
      if (state.lines.add(chunk)) deliver(options, state);
      else failed(createError(requestLine, `an event is longer than ${maxEventBytes} bytes`, 'EMSGSIZE'));
    });
    response.on('end', () => {
      if (state.end) return;
      state.lines.finish();
      finish(options, state, {});
    });
  } catch (error) {
    failed(error);
  }
}

/** Ends the watch after the buffered lines. */
function finish(options: WatchIteratorOptions, state: State, how: NonNullable<State['end']>): void {
  if (state.end) return;
  state.end = how;
  options.close();
  deliver(options, state);
}

/** Ends the watch and discards the buffered lines. */
function end(options: WatchIteratorOptions, state: State, how: NonNullable<State['end']>): void {
  state.lines.clear();
  state.end = how;
  options.close();
  deliver(options, state);
}

function deliver(options: WatchIteratorOptions, state: State): void {
  const { lines, waiting, response } = state;
  while (waiting.length > 0) {
    const line = lines.take();
    if (line !== undefined) deliverLine(options, state, line);
    else if (state.end) deliverEnd(state);
    else break;
  }
  if (state.end || !response) return;
  if (lines.bytes === 0) response.resume();
  else if (lines.bytes > options.maxBufferedBytes) response.pause();
}

function deliverLine(options: WatchIteratorOptions, state: State, line: string): void {
  const next = state.waiting.shift();
  try {
    next?.resolve({ done: false, value: eventOf(options.requestLine, line) });
  } catch (error) {
    next?.reject(error);
    end(options, state, {});
  }
}

function deliverEnd(state: State): void {
  const next = state.waiting.shift();
  const { error } = state.end ?? {};
  state.end = {};
  if (error === undefined) next?.resolve(done);
  else next?.reject(error);
}

function eventOf(requestLine: RequestLine, line: string): WatchEvent {
  let event: { readonly type?: unknown; readonly object?: unknown } | null;
  try {
    event = JSON.parse(line);
  } catch (error) {
    throw createUnreadableError(requestLine, 200, line, error);
  }
  if (event?.type === 'ERROR') throw errorOf(requestLine, event.object);
  if (!types.has(event?.type) || typeof event?.object !== 'object' || event.object === null) {
    throw createUnreadableError(requestLine, 200, line, new Error('this is not a watch event'));
  }
  return event as WatchEvent;
}

function errorOf(requestLine: RequestLine, object: unknown): Error {
  const status = object as Status | null | undefined;
  if (status?.kind === 'Status') return new ApiError({ ...status, code: status.code ?? 500 });
  return createError(requestLine, 'the watch ended with an error that is not a Status');
}

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** Assembles lines from chunks. */
export interface Lines {
  /** Number of bytes in complete lines. */
  readonly bytes: number;
  /** @returns false if a line is too long */
  add(chunk: Buffer): boolean;
  /** The next line, without its line break; empty lines are skipped. */
  take(): string | undefined;
  /** Completes the last line when no more data arrives. */
  finish(): void;
  clear(): void;
}

export function createLines(maxBytes: number): Lines {
  let whole: Buffer[] = [];
  let wholeBytes = 0;
  let taken = 0;
  let rest: Rest = { pieces: [], bytes: 0 };
  const complete = (end: Buffer): void => {
    const line = rest.bytes === 0 ? end : Buffer.concat([...rest.pieces, end]);
    rest = { pieces: [], bytes: 0 };
    if (line.length === 0) return;
    whole.push(line);
    wholeBytes += line.length;
  };
  return {
    get bytes() {
      return wholeBytes;
    },
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
        if (rest.bytes + end - start > maxBytes) return false;
        complete(chunk.subarray(start, end));
        start = end + 1;
      }
      if (start < chunk.length) {
        rest.pieces.push(chunk.subarray(start));
        rest.bytes += chunk.length - start;
      }
      return rest.bytes <= maxBytes;
    },
    take() {
      const line = whole[taken];
      if (line === undefined) return undefined;
      taken += 1;
      wholeBytes -= line.length;
      if (taken === whole.length) {
        whole = [];
        taken = 0;
      }
      return line.toString('utf8');
    },
    finish: () => complete(Buffer.alloc(0)),
    clear() {
      whole = [];
      wholeBytes = 0;
      taken = 0;
      rest = { pieces: [], bytes: 0 };
    },
  };
}

/** The chunks of an incomplete line. */
interface Rest {
  readonly pieces: Buffer[];
  bytes: number;
}

const newLine = 0x0a;
