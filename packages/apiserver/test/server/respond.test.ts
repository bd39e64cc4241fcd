import { expect, test } from 'vitest';
import { isBrokenConnection } from '../../src/server/respond.ts';
import { sendRequest, serve, text } from './support.ts';

const brokenConnection = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test('only an Error with the code ECONNRESET counts as a broken connection', () => {
  expect(isBrokenConnection(brokenConnection())).toBe(true);
  for (const other of [new Error('ECONNRESET'), { code: 'ECONNRESET' }, undefined, Object.assign(new Error('x'), { code: 'EPIPE' })]) {
    expect(isBrokenConnection(other)).toBe(false);
  }
});

test('a route that fails with ECONNRESET breaks the connection without a report to onError', async () => {
  const errors: unknown[] = [];
  const server = await serve(
    async ({ path }) => {
      if (path === '/api/v1/pods') throw brokenConnection();
      return text('fine');
    },
    { onError: (error) => errors.push(error) },
  );
  await expect(sendRequest(server, '/api/v1/pods')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect((await sendRequest(server, '/api/v1/nodes')).body).toBe('fine');
  expect(errors).toEqual([]);
});

test('events streamed before the connection breaks reach the client', async () => {
  async function* events(): AsyncGenerator<string> {
    yield 'first\n';
    yield 'second\n';
    throw brokenConnection();
  }
  const errors: unknown[] = [];
  const server = await serve(() => text(events()), { onError: (error) => errors.push(error) });
  const receivedChunks: string[] = [];
  const { request } = await import('node:http');
  const failure = await new Promise((resolve) => {
    request(`${server.url}/api/v1/pods?watch=true`, { headers: { Authorization: `Bearer ${server.token}` }, agent: false }, (answer) => {
      answer
        .setEncoding('utf8')
        .on('data', (chunk: string) => receivedChunks.push(chunk))
        .on('error', resolve)
        .on('end', () => resolve('it ended well'));
    }).end();
  });
  expect(receivedChunks.join('')).toBe('first\nsecond\n');
  expect(failure).toMatchObject({ code: 'ECONNRESET' });
  expect(errors).toEqual([]);
});
