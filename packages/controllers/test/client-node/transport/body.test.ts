import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/client-node/transport/transport.ts';

/** What is read of a body that comes in pieces of so many bytes. */
function read(bytes: Buffer, size: number, encoding?: string): Promise<string> {
  const response = Object.assign(new PassThrough(), { headers: { 'content-encoding': encoding } });
  return new Promise((resolve, reject) => {
    readText(response as unknown as IncomingMessage, (error, text) => (error ? reject(error) : resolve(text)));
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  });
}

describe('a body', () => {
  const text = '{"a":"größer €"}';

  it.each([1, 2, 1000])('is read whole, in pieces of %i', async (size) => {
    expect(await read(Buffer.from(text), size)).toBe(text);
    expect(await read(gzipSync(text), size, 'gzip')).toBe(text);
  });

  it('may be empty', async () => {
    expect(await read(Buffer.alloc(0), 1)).toBe('');
  });

  it('that is compressed and breaks off is an error', async () => {
    await expect(read(gzipSync(text).subarray(0, 20), 100, 'gzip')).rejects.toThrow('unexpected end of file');
  });
});
