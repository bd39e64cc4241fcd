import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readDemand } from '../../../src/clouds/demand.ts';
import { createListeners, listen } from '../../../src/clouds/tcp/listeners.ts';
import { errorOf, makeService } from '../objects.ts';
import { converse, dial, ending, received, until } from './support.ts';

const address = '127.0.85.1';
const demandOf = (...ports: readonly number[]) =>
  readDemand(makeService('web', { ports: ports.map((port) => ({ port, nodePort: 30_000 })) }));
const goOn = (): void => {};

/** Listeners that reset each client and record its port. */
function createWorld() {
  const came: string[] = [];
  const listeners = createListeners((client: Socket, listener, port) => {
    came.push(`${listener} ${port}`);
    client.on('error', () => {});
    client.resetAndDestroy();
  });
  onTestFinished(() => listeners.close());
  const isOpen = async (port: number): Promise<boolean> => {
    const before = came.length;
    await ending(dial({ host: address, port }));
    return came.length > before;
  };
  const open = async (...ports: readonly number[]): Promise<boolean[]> => Promise.all(ports.map(isOpen));
  return { came, listeners, open };
}

it('listeners open the requested ports and close the others on keep()', async () => {
  const { came, listeners, open } = createWorld();
  const first = await listeners.open(demandOf(18_482, 18_483), address, goOn);
  expect([first.any, first.keep()]).toEqual([true, new Set()]);
  expect(await open(18_482)).toEqual([true]);
  expect(came).toEqual(['127.0.85.1:18482 18482']);
  const second = await listeners.open(demandOf(18_483, 18_484), address, goOn);
  expect(second.any).toBe(true);
  expect(await open(18_482, 18_484)).toEqual([true, true]);
  expect(second.keep()).toEqual(new Set(['127.0.85.1:18482']));
  expect(await open(18_483)).toEqual([true]);
  expect(await open(18_482)).toEqual([false]);
  expect((await listeners.open(demandOf(18_483), address, goOn)).any).toBe(false);
  listeners.close();
  expect(await open(18_483)).toEqual([false]);
});

it('listeners open no port if one fails, and keep the former ones', async () => {
  const { listeners, open } = createWorld();
  (await listeners.open(demandOf(18_482), address, goOn)).keep();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(18_484, address, resolve));
  onTestFinished(() => void other.close());
  expect(await errorOf(listeners.open(demandOf(18_483, 18_484), address, goOn))).toMatchObject({ code: 'Failed' });
  expect(await open(18_483)).toEqual([false]);
  expect(await open(18_482)).toEqual([true]);
});

it.each([0, 1, 2])('listeners roll back if the check throws after %j of 2 ports', async (count) => {
  const { listeners, open } = createWorld();
  let attempts = 0;
  const check = (): void => {
    attempts += 1;
    if (attempts > count) throw new Error('enough');
  };
  expect(await errorOf(listeners.open(demandOf(18_482, 18_483), address, check))).toMatchObject({ message: 'enough' });
  expect([await open(18_482), await open(18_483)].flat()).toEqual([false, false]);
});

const host = '127.0.86.1';
const port = 18_485;
const owner = 'Service shop/web: spec.ports[0]';

it('a listener passes on unread sockets, which outlive it', async () => {
  const came: Socket[] = [];
  const listener = await listen({ address: host, port, owner, accept: (client) => void came.push(client) });
  const client = dial({ host, port });
  client.write('hello');
  await until(() => came.length === 1);
  const [inside] = came as [Socket];
  onTestFinished(() => void inside.destroy());
  expect([inside.isPaused(), inside.bytesRead, inside.allowHalfOpen]).toEqual([true, 0, true]);
  listener.close();
  expect(await errorOf(converse({ host, port }))).toMatchObject({ code: 'ECONNREFUSED' });
  inside.write('still here');
  expect(await received(client)).toBe('still here');
  inside.resume();
  expect(await received(inside)).toBe('hello');
});

it('a port can be listened on again at once', async () => {
  for (let i = 0; i < 3; i++) (await listen({ address: host, port: port + 1, owner, accept: (client) => void client.destroy() })).close();
});

it('a failed listen names the owner and the remedy', async () => {
  const other = createServer().listen(port + 2, host);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
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
