import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseDemand } from '../../../src/clouds/demand.ts';
import { createListeners, listen } from '../../../src/clouds/tcp/listeners.ts';
import { errorOf, makeService } from '../objects.ts';
import { converse, dial, readChunk, waitForClose, waitUntil } from './support.ts';

const address = '127.0.85.1';
const createDemand = (...ports: readonly number[]) =>
  parseDemand(makeService('web', { ports: ports.map((port) => ({ port, nodePort: 30_000 })) }));
const neverStopped = (): void => {};

/** Listeners that reset each client and record its port. */
function createRecordingListeners() {
  const accepted: string[] = [];
  const listeners = createListeners((client: Socket, listener, port) => {
    accepted.push(`${listener} ${port}`);
    client.on('error', () => {});
    client.resetAndDestroy();
  });
  onTestFinished(() => listeners.close());
  const isOpen = async (port: number): Promise<boolean> => {
    const before = accepted.length;
    await waitForClose(dial({ host: address, port }));
    return accepted.length > before;
  };
  const areOpen = async (...ports: readonly number[]): Promise<boolean[]> => Promise.all(ports.map(isOpen));
  return { accepted, listeners, areOpen };
}

it('listeners open the requested ports and close obsolete ports on closeObsoletePorts()', async () => {
  const { accepted, listeners, areOpen } = createRecordingListeners();
  const first = await listeners.open(createDemand(18_482, 18_483), address, neverStopped);
  expect([first.hasNewPorts, first.closeObsoletePorts()]).toEqual([true, new Set()]);
  expect(await areOpen(18_482)).toEqual([true]);
  expect(accepted).toEqual(['127.0.85.1:18482 18482']);
  const second = await listeners.open(createDemand(18_483, 18_484), address, neverStopped);
  expect(second.hasNewPorts).toBe(true);
  expect(await areOpen(18_482, 18_484)).toEqual([true, true]);
  expect(second.closeObsoletePorts()).toEqual(new Set(['127.0.85.1:18482']));
  expect(await areOpen(18_483)).toEqual([true]);
  expect(await areOpen(18_482)).toEqual([false]);
  expect((await listeners.open(createDemand(18_483), address, neverStopped)).hasNewPorts).toBe(false);
  listeners.close();
  expect(await areOpen(18_483)).toEqual([false]);
});

it('listeners open no port if one fails, and keep the previous ones', async () => {
  const { listeners, areOpen } = createRecordingListeners();
  (await listeners.open(createDemand(18_482), address, neverStopped)).closeObsoletePorts();
  const otherServer = createServer();
  await new Promise<void>((resolve) => otherServer.listen(18_484, address, resolve));
  onTestFinished(() => void otherServer.close());
  expect(await errorOf(listeners.open(createDemand(18_483, 18_484), address, neverStopped))).toMatchObject({ code: 'Failed' });
  expect(await areOpen(18_483)).toEqual([false]);
  expect(await areOpen(18_482)).toEqual([true]);
});

it.each([0, 1, 2])('listeners open no port if the work is stopped after %j of 2 ports', async (count) => {
  const { listeners, areOpen } = createRecordingListeners();
  let attempts = 0;
  const throwIfStopped = (): void => {
    attempts += 1;
    if (attempts > count) throw new Error('enough');
  };
  expect(await errorOf(listeners.open(createDemand(18_482, 18_483), address, throwIfStopped))).toMatchObject({ message: 'enough' });
  expect([await areOpen(18_482), await areOpen(18_483)].flat()).toEqual([false, false]);
});

const host = '127.0.86.1';
const port = 18_485;
const owner = 'Service shop/web: spec.ports[0]';

it('a listener accepts sockets unread, and they stay open after it is closed', async () => {
  const accepted: Socket[] = [];
  const listener = await listen({ address: host, port, owner, accept: (client) => void accepted.push(client) });
  const client = dial({ host, port });
  client.write('hello');
  await waitUntil(() => accepted.length === 1);
  const [serverSocket] = accepted as [Socket];
  onTestFinished(() => void serverSocket.destroy());
  expect([serverSocket.isPaused(), serverSocket.bytesRead, serverSocket.allowHalfOpen]).toEqual([true, 0, true]);
  listener.close();
  expect(await errorOf(converse({ host, port }))).toMatchObject({ code: 'ECONNREFUSED' });
  serverSocket.write('still here');
  expect(await readChunk(client)).toBe('still here');
  serverSocket.resume();
  expect(await readChunk(serverSocket)).toBe('hello');
});

it('a port can be listened on again at once', async () => {
  for (let i = 0; i < 3; i++) (await listen({ address: host, port: port + 1, owner, accept: (client) => void client.destroy() })).close();
});

it('an error of listen contains the owner and a remedy', async () => {
  const otherServer = createServer().listen(port + 2, host);
  onTestFinished(() => void otherServer.close());
  await once(otherServer, 'listening');
  const accept = (): void => {};
  expect(await errorOf(listen({ address: host, port: port + 2, owner, accept }))).toMatchObject({
    code: 'Failed',
    message: `${owner} cannot listen on ${host}:${port + 2}: another program listens there: stop it, or give another port (EADDRINUSE)`,
    cause: { code: 'EADDRINUSE' },
  });
  expect(await errorOf(listen({ address: '192.0.2.1', port, owner, accept }))).toMatchObject({
    code: 'Failed',
    message: expect.stringMatching(/192\.0\.2\.1:18485: this machine does not have the address.*\(EADDRNOTAVAIL\)$/),
  });
});
