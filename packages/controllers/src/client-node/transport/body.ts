import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';

/** Reads a whole body as text. An error of the response itself is told by whoever sent the request. */
export function readText(response: IncomingMessage, done: (error: Error | undefined, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    if (response.headers['content-encoding'] !== 'gzip') return tell(bytes, done);
    gunzip(bytes, (error, unpacked) => (error ? done(error, '') : tell(unpacked, done)));
  });
}

function tell(bytes: Buffer, done: (error: Error | undefined, text: string) => void): void {
  let text: string;
  try {
    text = bytes.toString('utf8');
  } catch (error) {
    // longer than a string can be
    done(error as Error, '');
    return;
  }
  done(undefined, text);
}
