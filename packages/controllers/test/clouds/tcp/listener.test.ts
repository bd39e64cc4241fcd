import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../src/clouds/tcp/listeners.ts';
import { errorOf } from '../objects.ts';
import { converse, dial, heard, until } from './support.ts';

const address = '127.0.86.1';
const port = 18_485;
const owner = 'Service shop/web: spec.ports[0]';

it('gives connections of which nothing has been read, and goes on with them once it is closed', async () => {
  const came: Socket[] = [];
  const listener = await listen({ address, port, owner, accept: (client) => void came.push(client) });
  const client = dial({ host: address, port });
  client.write('hello');
  await until(() => came.length === 1);
  const [inside] = came as [Socket];
  onTestFinished(() => void inside.destroy());
  expect([inside.isPaused(), inside.bytesRead, inside.allowHalfOpen]).toEqual([true, 0, true]);
  listener.close();
  expect(await errorOf(converse({ host: address, port }))).toMatchObject({ code: 'ECONNREFUSED' });
  inside.write('still here');
  expect(await heard(client)).toBe('still here');
  inside.resume();
  expect(await heard(inside)).toBe('hello');
});

it('can be listened to again at once', async () => {
  for (let i = 0; i < 3; i++) (await listen({ address, port: port + 1, owner, accept: (client) => void client.destroy() })).close();
});

it('says who cannot listen, and what to do about it', async () => {
  const other = createServer().listen(port + 2, address);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const accept = (): void => {};
  expect(await errorOf(listen({ address, port: port + 2, owner, accept }))).toMatchObject({
    code: 'Failed',
    message: `${owner} cannot listen on ${address}:${port + 2}: another program does: stop it, or give another port (EADDRINUSE)`,
    cause: { code: 'EADDRINUSE' },
  });
  expect(await errorOf(listen({ address: '192.0.2.1', port, owner, accept }))).toMatchObject({
    code: 'Failed',
    message: expect.stringMatching(/192\.0\.2\.1:18485: the address is not of this machine.*\(EADDRNOTAVAIL\)$/),
  });
});
