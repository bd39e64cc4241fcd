import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hasSeveralHosts, limitConnections } from '../../src/apimachinery/index.ts';

/** A socket that a test controls. */
class FakeSocket extends EventEmitter {
  readonly remotePort: number;
  readonly remoteAddress: string;
  readonly localAddress = '127.0.0.1';
  readableLength = 0;
  destroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  setTimeout(): void {}

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  /** Receives the first bytes of a handshake. */
  receive(): void {
    this.readableLength = 100;
    this.emit('readable');
  }
}

/** A TLS server without a network. `nextTurn` runs what waits for the end of a turn of the event loop. */
function createServer(maxConnections = 1000) {
  const server = new EventEmitter();
  const started: string[] = [];
  server.on('connection', ({ remoteAddress, remotePort }: FakeSocket) => started.push(`${remoteAddress} ${remotePort}`));
  const deferred: (() => void)[] = [];
  const connections = limitConnections<FakeSocket>(server, {
    maxConnections,
    tls: { startMs: 1000, defer: (callback) => void deferred.push(callback) },
  });
  const accept = (address: string, port: number): FakeSocket => {
    const socket = new FakeSocket(address, port);
    server.emit('connection', socket);
    return socket;
  };
  const nextTurn = (): void => {
    for (const callback of deferred.splice(0)) callback();
  };
  return { accept, connections, deferred, nextTurn, server, started };
}

describe('limitConnections', () => {
  test('starts TLS when the first bytes arrive, one connection at a time, for each address in turn', () => {
    const { accept, deferred, nextTurn, started } = createServer();
    const sockets = ['a', 'a', 'a', 'b', 'c'].map((address, port) => accept(address, port));
    nextTurn();
    for (const socket of sockets) socket.receive();
    expect(started).toStrictEqual([]);
    // The server has just accepted connections, so another one may be waiting.
    nextTurn();
    expect(started).toStrictEqual([]);
    while (deferred.length > 0) nextTurn();
    expect(started).toStrictEqual(['a 0', 'b 3', 'c 4', 'a 1', 'a 2']);
  });

  test('accepts up to 16 connections before it starts TLS on the next one', () => {
    const { accept, nextTurn, started } = createServer();
    accept('a', 0).receive();
    for (let port = 1; port <= 16; port++) {
      accept('b', port);
      nextTurn();
    }
    expect(started).toStrictEqual([]);
    accept('b', 17);
    nextTurn();
    expect(started).toStrictEqual(['a 0']);
  });

  test('does not start TLS on connections that are closed while they wait', () => {
    const { accept, deferred, nextTurn, started } = createServer();
    const sockets = ['a', 'a', 'b'].map((address, port) => accept(address, port));
    for (const socket of sockets) socket.receive();
    for (const socket of sockets.slice(1)) socket.destroy();
    while (deferred.length > 0) nextTurn();
    expect(started).toStrictEqual(['a 0']);
  });

  test('closes a connection that ends or times out before its first bytes', () => {
    const { accept } = createServer();
    const [ended, silent] = [accept('a', 1), accept('a', 2)];
    ended.emit('readable');
    silent.emit('timeout');
    expect([ended.destroyed, silent.destroyed]).toStrictEqual([true, true]);
  });

  test('closes all connections on destroy', () => {
    const { accept, connections } = createServer();
    const sockets = [accept('a', 1), accept('a', 2)];
    connections.destroy();
    expect(sockets.map(({ destroyed }) => destroyed)).toStrictEqual([true, true]);
  });
});

test('hasSeveralHosts finds Host headers in any case', () => {
  expect(hasSeveralHosts(['Host', 'a', 'X-Host', 'b'])).toBe(false);
  expect(hasSeveralHosts(['Host', 'a', 'Accept', 'host', 'hOST', 'a'])).toBe(true);
});
