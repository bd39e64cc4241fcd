import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ForwardedConnection, forward, type Target } from '../../../src/clouds/tcp/forward.ts';
import { createClock } from '../../queue/clock.ts';
import { converse, dial, readChunk, startBackend, startGreeter, waitForClose, waitUntil } from './support.ts';

const closedTarget: Target = { node: 'closed', address: '127.0.89.9', port: 9 };

/** Listens, and forwards each connection to the first target that accepts. */
async function createForwarder(...targets: readonly Target[]) {
  const clock = createClock();
  const log: string[] = [];
  const connections: ForwardedConnection[] = [];
  const hooks: { onForward?: (forwarded: ForwardedConnection, client: Socket) => void } = {};
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const remainingTargets = [...targets];
    const forwarded = forward({
      client,
      pickNextTarget: () => remainingTargets.shift(),
      onConnected: ({ node }) => void log.push(`connected ${node}`),
      onFailed: ({ node }, error) => void log.push(`failed ${node} ${(error as NodeJS.ErrnoException).code ?? error.message}`),
      onRefused: () => void log.push('refused'),
      onEnded: () => void log.push('ended'),
      clock,
      connectMs: 1000,
    });
    connections.push(forwarded);
    hooks.onForward?.(forwarded, client);
  });
  server.listen(0, '127.0.89.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const connection of connections) connection.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { frontend: { host: '127.0.89.1', port }, log, connections, clock, hooks };
}

const targetOf = ({ node, address, nodePort: port }: Awaited<ReturnType<typeof startBackend>>): Target => ({
  node: node.metadata?.name ?? '',
  address,
  port,
});

/** A target that exposes its connections. */
async function startObservedTarget(serve: (socket: Socket) => void = () => {}) {
  const backend = await startBackend({ name: 'quiet', address: '127.0.89.1' }, serve);
  const socket = async (): Promise<Socket> => {
    await waitUntil(() => backend.sockets.size > 0);
    return [...backend.sockets][0] as Socket;
  };
  return { target: targetOf(backend), socket };
}

describe('forward', () => {
  it('passes data in both directions until both ends close', async () => {
    const { frontend, log } = await createForwarder(targetOf(await startGreeter('a', '127.0.89.1')));
    expect(await converse(frontend)).toBe('a:HELLO');
    await waitUntil(() => log.includes('ended'));
    expect(log).toEqual(['connected a', 'ended']);
  });

  it('passes each chunk as it arrives', async () => {
    const { frontend } = await createForwarder(targetOf(await startGreeter('a', '127.0.89.1')));
    const client = dial(frontend);
    expect(await readChunk(client)).toBe('a:');
    client.write('x');
    expect(await readChunk(client)).toBe('X');
  });

  it('tries the next target if one refuses, and passes it all data sent meanwhile', async () => {
    const { frontend, log } = await createForwarder(closedTarget, closedTarget, targetOf(await startGreeter('a', '127.0.89.1')));
    const longText = 'x'.repeat(300_000);
    expect(await converse(frontend, longText)).toBe(`a:${longText.toUpperCase()}`);
    expect(log.slice(0, 3)).toEqual(['failed closed ECONNREFUSED', 'failed closed ECONNREFUSED', 'connected a']);
  });

  it('resets the client if no target is left', async () => {
    const { frontend, log } = await createForwarder(closedTarget);
    expect(await waitForClose(dial(frontend))).toBe('reset');
    await waitUntil(() => log.includes('ended'));
    expect(log).toEqual(['failed closed ECONNREFUSED', 'refused', 'ended']);
    const withoutTargets = await createForwarder();
    expect(await waitForClose(dial(withoutTargets.frontend))).toBe('reset');
    await waitUntil(() => withoutTargets.log.includes('ended'));
    expect(withoutTargets.log).toEqual(['refused', 'ended']);
  });

  it('passes a response after the client has ended its side', async () => {
    const { frontend } = await createForwarder(
      targetOf(await startBackend({ name: 'late', address: '127.0.89.1' }, async (socket) => socket.end(`all: ${await text(socket)}`))),
    );
    expect(await converse(frontend, 'question')).toBe('all: question');
  });

  it('passes client data after the target has ended its side', async () => {
    const receivedTexts: string[] = [];
    const { target, socket } = await startObservedTarget((connection) => void text(connection).then((all) => receivedTexts.push(all)));
    const { frontend, log } = await createForwarder(target);
    const client = dial(frontend);
    (await socket()).end('last word');
    expect(await text(client)).toBe('last word');
    client.write('one ');
    client.end('two');
    await waitUntil(() => log.includes('ended') && receivedTexts.length > 0);
    expect(receivedTexts).toEqual(['one two']);
  });

  it('applies backpressure from the slower side', async () => {
    const { target, socket } = await startObservedTarget();
    const { frontend } = await createForwarder(target);
    const client = dial(frontend);
    const slow = await socket();
    const chunk = Buffer.alloc(1 << 20, 1);
    const maxChunks = 256;
    let sentChunks = 0;
    // The target reads nothing, so the accepted amount is bounded by buffers.
    const isStuck = async (): Promise<boolean> => {
      for (let count = 0; count < 2000; count++) {
        if (!client.writableNeedDrain) return false;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return true;
    };
    while (sentChunks < maxChunks && !(client.writableNeedDrain && (await isStuck()))) {
      client.write(chunk);
      sentChunks += 1;
    }
    expect(sentChunks).toBeLessThan(maxChunks);
    let receivedBytes = 0;
    slow.on('data', (data) => {
      receivedBytes += data.length;
    });
    client.end();
    await once(slow, 'end');
    expect(receivedBytes).toBe(sentChunks * chunk.length);
  });

  it('passes a reset on to the other side', async () => {
    const { target, socket } = await startObservedTarget();
    const { frontend, log, connections } = await createForwarder(target);
    const client = dial(frontend);
    (await socket()).resetAndDestroy();
    expect(await waitForClose(client)).toBe('reset');
    const otherClient = dial(frontend);
    await waitUntil(() => log.filter((line) => line === 'connected quiet').length === 2);
    const upstream = await socket();
    otherClient.resetAndDestroy();
    expect(await waitForClose(upstream)).toBe('reset');
    await waitUntil(() => log.filter((line) => line === 'ended').length === 2);
    expect(connections.length).toBe(2);
  });

  it('closes both sides when destroyed, even if a side does not read', async () => {
    const { target, socket } = await startObservedTarget((connection) => void connection.write(Buffer.alloc(64 << 20)));
    const { frontend, log, connections } = await createForwarder(target);
    const stalled = dial(frontend).pause();
    await waitUntil(() => log.length === 1);
    const upstream = await socket();
    // Fills every buffer on the path, with more data pending.
    for (let iteration = 0, before = -1; iteration < 20 || upstream.bytesWritten !== before; iteration++) {
      before = upstream.bytesWritten;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const upstreamClosed = waitForClose(upstream);
    connections[0]?.destroy();
    await waitUntil(() => log.includes('ended'));
    expect([await waitForClose(stalled), await upstreamClosed]).toEqual(['reset', 'reset']);
  });

  it.each([0, 1, 2, 3, 4, 5])('closes both sides when destroyed %j ticks after one side began to end', async (count) => {
    const { target } = await startObservedTarget();
    const { frontend, log, connections, hooks } = await createForwarder(target);
    let clientSocket: Socket | undefined;
    hooks.onForward = (_, client) => {
      clientSocket = client;
    };
    const client = dial(frontend);
    await waitUntil(() => log.includes('connected quiet'));
    clientSocket?.end();
    for (let iteration = 0; iteration < count; iteration++) await new Promise<void>((resolve) => process.nextTick(resolve));
    connections[0]?.destroy();
    await waitUntil(() => log.includes('ended'));
    expect(['reset', 'end']).toContain(await waitForClose(client.end()));
  });

  it('times out on a target that does not accept', async () => {
    // A documentation network never answers; without a route to it, the error comes sooner.
    const { frontend, log, clock } = await createForwarder(
      { node: 'far', address: '192.0.2.1', port: 80 },
      targetOf(await startGreeter('a', '127.0.89.1')),
    );
    const answer = converse(frontend);
    await waitUntil(() => clock.scheduled > 0 || log.length > 0);
    clock.advance(1000);
    expect(await answer).toBe('a:HELLO');
    expect(log[0]).toMatch(/^failed far (it did not accept within 1000 ms|E[A-Z]+)$/);
    expect(clock.scheduled).toBe(0);
  });

  it('resets both sides when destroyed', async () => {
    const { target, socket } = await startObservedTarget();
    const { frontend, log, connections } = await createForwarder(target);
    const client = dial(frontend);
    const upstream = await socket();
    await waitUntil(() => log.length > 0);
    expect(connections[0]?.target).toEqual(target);
    connections[0]?.destroy();
    expect(await Promise.all([waitForClose(client), waitForClose(upstream)])).toEqual(['reset', 'reset']);
    await waitUntil(() => log.includes('ended'));
    connections[0]?.destroy();
    expect(log).toEqual(['connected quiet', 'ended']);
  });

  it('reports no failed target when destroyed while connecting', async () => {
    const { frontend, log, clock, hooks } = await createForwarder({ node: 'far', address: '192.0.2.1', port: 80 }, closedTarget);
    hooks.onForward = (forwarded) => forwarded.destroy();
    expect(await waitForClose(dial(frontend))).toBe('reset');
    await waitUntil(() => log.includes('ended'));
    expect(log).toEqual(['ended']);
    expect(clock.scheduled).toBe(0);
  });
});
