import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Forwarded, forward, type Target } from '../../../src/clouds/tcp/forward.ts';
import { createClock } from '../../queue/clock.ts';
import { backend, converse, dial, ending, greeter, received, until } from './support.ts';

const unused: Target = { node: 'closed', address: '127.0.89.9', port: 9 };

/** Listens, and forwards each connection to the first target that accepts. */
async function forwarder(...targets: readonly Target[]) {
  const clock = createClock();
  const log: string[] = [];
  const going: Forwarded[] = [];
  const hooks: { made?: (forwarded: Forwarded, client: Socket) => void } = {};
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const left = [...targets];
    const forwarded = forward({
      client,
      next: () => left.shift(),
      connected: ({ node }) => void log.push(`connected ${node}`),
      failed: ({ node }, error) => void log.push(`failed ${node} ${(error as NodeJS.ErrnoException).code ?? error.message}`),
      refused: () => void log.push('refused'),
      ended: () => void log.push('ended'),
      clock,
      connectMs: 1000,
    });
    going.push(forwarded);
    hooks.made?.(forwarded, client);
  });
  server.listen(0, '127.0.89.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const each of going) each.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { at: { host: '127.0.89.1', port }, log, going, clock, hooks };
}

const targetOf = ({ node, address, nodePort: port }: Awaited<ReturnType<typeof backend>>): Target => ({
  node: node.metadata?.name ?? '',
  address,
  port,
});

/** A target that exposes its connections. */
async function quiet(serve: (socket: Socket) => void = () => {}) {
  const there = await backend({ name: 'quiet', address: '127.0.89.1' }, serve);
  const socket = async (): Promise<Socket> => {
    await until(() => there.sockets.size > 0);
    return [...there.sockets][0] as Socket;
  };
  return { target: targetOf(there), socket };
}

describe('forwarding', () => {
  it('passes data in both directions until both ends close', async () => {
    const { at, log } = await forwarder(targetOf(await greeter('a', '127.0.89.1')));
    expect(await converse(at)).toBe('a:HELLO');
    await until(() => log.includes('ended'));
    expect(log).toEqual(['connected a', 'ended']);
  });

  it('passes each chunk as it arrives', async () => {
    const { at } = await forwarder(targetOf(await greeter('a', '127.0.89.1')));
    const client = dial(at);
    expect(await received(client)).toBe('a:');
    client.write('x');
    expect(await received(client)).toBe('X');
  });

  it('tries the next target if one refuses, with all data sent meanwhile', async () => {
    const { at, log } = await forwarder(unused, unused, targetOf(await greeter('a', '127.0.89.1')));
    const long = 'x'.repeat(300_000);
    expect(await converse(at, long)).toBe(`a:${long.toUpperCase()}`);
    expect(log.slice(0, 3)).toEqual(['failed closed ECONNREFUSED', 'failed closed ECONNREFUSED', 'connected a']);
  });

  it('resets the client if no target is left', async () => {
    const { at, log } = await forwarder(unused);
    expect(await ending(dial(at))).toBe('reset');
    await until(() => log.includes('ended'));
    expect(log).toEqual(['failed closed ECONNREFUSED', 'refused', 'ended']);
    const nowhere = await forwarder();
    expect(await ending(dial(nowhere.at))).toBe('reset');
    await until(() => nowhere.log.includes('ended'));
    expect(nowhere.log).toEqual(['refused', 'ended']);
  });

  it('passes a response after the client has ended its side', async () => {
    const { at } = await forwarder(
      targetOf(await backend({ name: 'late', address: '127.0.89.1' }, async (socket) => socket.end(`all: ${await text(socket)}`))),
    );
    expect(await converse(at, 'question')).toBe('all: question');
  });

  it('passes client data after the target has ended its side', async () => {
    const received: string[] = [];
    const { target, socket } = await quiet((each) => void text(each).then((all) => received.push(all)));
    const { at, log } = await forwarder(target);
    const client = dial(at);
    (await socket()).end('last word');
    expect(await text(client)).toBe('last word');
    client.write('one ');
    client.end('two');
    await until(() => log.includes('ended') && received.length > 0);
    expect(received).toEqual(['one two']);
  });

  it('applies backpressure from the slower side', async () => {
    const { target, socket } = await quiet();
    const { at } = await forwarder(target);
    const client = dial(at);
    const slow = await socket();
    const chunk = Buffer.alloc(1 << 20, 1);
    const most = 256;
    let sent = 0;
    // The target reads nothing, so the accepted amount is bounded by buffers.
    const isStuck = async (): Promise<boolean> => {
      for (let processingSet = 0; processingSet < 2000; processingSet++) {
        if (!client.writableNeedDrain) return false;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return true;
    };
    while (sent < most && !(client.writableNeedDrain && (await isStuck()))) {
      client.write(chunk);
      sent += 1;
    }
    expect(sent).toBeLessThan(most);
    let received = 0;
    slow.on('data', (data) => {
      received += data.length;
    });
    client.end();
    await once(slow, 'end');
    expect(received).toBe(sent * chunk.length);
  });

  it('passes a reset on to the other side', async () => {
    const { target, socket } = await quiet();
    const { at, log, going } = await forwarder(target);
    const client = dial(at);
    (await socket()).resetAndDestroy();
    expect(await ending(client)).toBe('reset');
    const other = dial(at);
    await until(() => log.filter((line) => line === 'connected quiet').length === 2);
    const upstream = await socket();
    other.resetAndDestroy();
    expect(await ending(upstream)).toBe('reset');
    await until(() => log.filter((line) => line === 'ended').length === 2);
    expect(going.length).toBe(2);
  });

  it('can be destroyed while a side does not read', async () => {
    const { target, socket } = await quiet((each) => void each.write(Buffer.alloc(64 << 20)));
    const { at, log, going } = await forwarder(target);
    const stalled = dial(at).pause();
    await until(() => log.length === 1);
    const upstream = await socket();
    // Fills every buffer on the path, with more data pending.
    for (let turn = 0, before = -1; turn < 20 || upstream.bytesWritten !== before; turn++) {
      before = upstream.bytesWritten;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const end = ending(upstream);
    going[0]?.destroy();
    await until(() => log.includes('ended'));
    expect([await ending(stalled), await end]).toEqual(['reset', 'reset']);
  });

  it.each([0, 1, 2, 3, 4, 5])('can be destroyed while a side is ending: %j turns later', async (processingSet) => {
    const { target } = await quiet();
    const { at, log, going, hooks } = await forwarder(target);
    let inside: Socket | undefined;
    hooks.made = (_, client) => {
      inside = client;
    };
    const client = dial(at);
    await until(() => log.includes('connected quiet'));
    inside?.end();
    for (let turn = 0; turn < processingSet; turn++) await new Promise<void>((resolve) => process.nextTick(resolve));
    going[0]?.destroy();
    await until(() => log.includes('ended'));
    expect(['reset', 'end']).toContain(await ending(client.end()));
  });

  it('times out on a target that does not accept', async () => {
    // A documentation network never answers; without a route to it, the error comes sooner.
    const { at, log, clock } = await forwarder({ node: 'far', address: '192.0.2.1', port: 80 }, targetOf(await greeter('a', '127.0.89.1')));
    const answer = converse(at);
    await until(() => clock.scheduled > 0 || log.length > 0);
    clock.advance(1000);
    expect(await answer).toBe('a:HELLO');
    expect(log[0]).toMatch(/^failed far (it did not accept within 1000 ms|E[A-Z]+)$/);
    expect(clock.scheduled).toBe(0);
  });

  it('can be destroyed', async () => {
    const { target, socket } = await quiet();
    const { at, log, going } = await forwarder(target);
    const client = dial(at);
    const upstream = await socket();
    await until(() => log.length > 0);
    expect(going[0]?.target).toEqual(target);
    going[0]?.destroy();
    expect(await Promise.all([ending(client), ending(upstream)])).toEqual(['reset', 'reset']);
    await until(() => log.includes('ended'));
    going[0]?.destroy();
    expect(log).toEqual(['connected quiet', 'ended']);
  });

  it('can be destroyed while connecting, without a failed target', async () => {
    const { at, log, clock, hooks } = await forwarder({ node: 'far', address: '192.0.2.1', port: 80 }, unused);
    hooks.made = (forwarded) => forwarded.destroy();
    expect(await ending(dial(at))).toBe('reset');
    await until(() => log.includes('ended'));
    expect(log).toEqual(['ended']);
    expect(clock.scheduled).toBe(0);
  });
});
