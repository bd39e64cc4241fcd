import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Independent clients. Each sends one request after another until it is stopped. */
export interface Load {
  /** Successful requests by answering node. */
  readonly answersByNode: ReadonlyMap<string, number>;
  readonly total: number;
  readonly failures: readonly Failure[];
  /** Resolves after this many further requests were answered. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves when the requests in flight are complete. */
  stop(): Promise<void>;
}

export interface Failure {
  readonly problem: string;
  /** When the connection was opened, by `performance.now()`. */
  readonly startMs: number;
  /** When the failure was noticed, by `performance.now()`. */
  readonly failedMs: number;
}

export interface LoadOptions {
  readonly host: string;
  readonly httpPort: number;
  readonly framePort: number;
  /** Number of clients per protocol. */
  readonly clients: number;
}

/** Maximum payload sizes in bytes; each request uses one of them. */
const commonMaxSizes = [1, 100, 1000, 20_000, 200_000];
/** Payload size of a few requests, in bytes. */
const rareMaxSize = 4_000_000;
/** A request that takes longer has failed. */
const timeoutMs = 20_000;

export function startLoad({ host, httpPort, framePort, clients }: LoadOptions): Load {
  const answersByNode = new Map<string, number>();
  const failures: Failure[] = [];
  const state = { stopped: false, total: 0 };
  const goalChecks = new Set<() => void>();
  const countAnswer = (node: string): void => {
    answersByNode.set(node, (answersByNode.get(node) ?? 0) + 1);
    state.total += 1;
    for (const checkGoal of goalChecks) checkGoal();
  };
  const run = async (exchange: (onAnswer: (node: string) => void) => Promise<void>): Promise<void> => {
    while (!state.stopped) {
      const startMs = performance.now();
      try {
        await exchange(countAnswer);
      } catch (error) {
        failures.push({ problem: String(error), startMs, failedMs: performance.now() });
        await pause(50);
      }
    }
  };
  const loops = Array.from({ length: clients }, () => [
    run((onAnswer) => exchangeHttp({ host, port: httpPort }, onAnswer)),
    run((onAnswer) => exchangeFrames({ host, port: framePort }, onAnswer)),
  ]).flat();
  return {
    answersByNode,
    failures,
    get total() {
      return state.total;
    },
    waitForRequests(count) {
      const goal = state.total + count;
      return new Promise((resolve) => {
        const checkGoal = (): void => {
          if (state.total < goal) return;
          goalChecks.delete(checkGoal);
          resolve();
        };
        goalChecks.add(checkGoal);
      });
    },
    async stop() {
      state.stopped = true;
      await Promise.all(loops);
    },
  };
}

/** Inverts every bit, which proves that data went through a node. */
export const invert = (): Transform =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, invertBytes(chunk));
    },
  });

/** A frame is a length in four bytes and that many bytes. */
export function frame(payload: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
}

/** Yields received frames until the other side closes. @throws Error if it closes within a frame */
export async function* readFrames(socket: Socket): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  let neededBytes = 4;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    // Concatenated once per frame, because a large frame arrives in many chunks.
    if (size < neededBytes) continue;
    let rest = Buffer.concat(chunks);
    neededBytes = 4;
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32BE(0);
      if (rest.length < end) {
        neededBytes = end;
        break;
      }
      yield rest.subarray(4, end);
      rest = rest.subarray(end);
    }
    chunks = [rest];
    size = rest.length;
  }
  if (size > 0) throw new Error(`the connection ended in the middle of a frame, after ${size} bytes`);
}

interface TrafficTarget {
  readonly host: string;
  readonly port: number;
}

/** Sends some requests over one keep-alive connection. */
async function exchangeHttp(target: TrafficTarget, onAnswer: (node: string) => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let i = randomRequestCount(); i > 0; i--) {
      const payload = makePayload();
      const outgoing = request({ ...target, agent, method: 'POST', path: '/', signal: AbortSignal.timeout(timeoutMs) });
      outgoing.end(payload);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      requireSameBytes(await buffer(response), invertBytes(payload));
      onAnswer(String(response.headers['x-node']));
      // The server is about to close: a further request could be lost.
      if (response.headers.connection === 'close') return;
    }
  } finally {
    agent.destroy();
  }
}

/** Sends some frames over one connection, closes the client's side, and waits for the node's final message. */
async function exchangeFrames(target: TrafficTarget, onAnswer: (node: string) => void): Promise<void> {
  const socket = connect({ ...target, allowHalfOpen: true });
  const timer = globalThis.setTimeout(() => socket.destroy(new Error(`no data for ${timeoutMs} ms`)), timeoutMs);
  const frames = readFrames(socket);
  try {
    const node = String(await readNextFrame(frames));
    const count = randomRequestCount();
    for (let i = 0; i < count; i++) {
      const payload = makePayload();
      socket.write(frame(payload));
      requireSameBytes(await readNextFrame(frames), invertBytes(payload));
      timer.refresh();
      onAnswer(node);
    }
    socket.end();
    requireSameBytes(await readNextFrame(frames), Buffer.from(String(count)));
    if (!(await frames.next()).done) throw new Error('the server sent more than was requested');
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

async function readNextFrame(frames: AsyncGenerator<Buffer>): Promise<Buffer> {
  const { value, done } = await frames.next();
  if (done) throw new Error('the connection ended before the answer');
  return value;
}

const randomRequestCount = (): number => 1 + Math.floor(Math.random() * 20);

function makePayload(): Buffer {
  const size = Math.random() < 0.005 ? rareMaxSize : (commonMaxSizes[Math.floor(Math.random() * commonMaxSizes.length)] as number);
  return randomBytes(16 + Math.floor(Math.random() * size));
}

function invertBytes(payload: Buffer): Buffer {
  const result = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) result[i] = ~(payload[i] as number);
  return result;
}

function requireSameBytes(received: Buffer, expected: Buffer): void {
  if (received.equals(expected)) return;
  const digest = (bytes: Buffer): string => `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
  throw new Error(`WRONG BYTES: ${digest(received)} received instead of ${digest(expected)}`);
}
